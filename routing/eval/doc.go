// Package eval measures routing on tickets with known answers: top-1, top-3,
// top-5, mean reciprocal rank and set recall, for each ranker and for the fused
// decision, always beside a null baseline and the coverage there was.
//
// It imports routing and its sub-packages. It never changes a weight, never
// shows an answer to a ranker, and leaves out where a ticket was filed.
package eval
