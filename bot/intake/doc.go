// Package intake is the door for webhooks: a cap on the size, the signature over
// the raw bytes, then the delivery is handed on to be saved, then 202. Nothing is
// parsed here, so nothing can be lost to a parser.
//
// It imports bot, gin and a semaphore: bodies come from anybody, so what all of them
// hold together is bounded. It never works on a delivery: a sender waits for the
// answer, and takes more than a few seconds for a failure.
package intake
