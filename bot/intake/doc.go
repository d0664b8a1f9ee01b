// Package intake is the door for webhooks: a cap on the size, the signature over
// the raw bytes, then the delivery is handed on to be saved, then 202. Nothing is
// parsed here, so nothing can be lost to a parser.
//
// It imports bot and gin. It never works on a delivery: a sender waits for the
// answer, and takes more than a few seconds for a failure.
package intake
