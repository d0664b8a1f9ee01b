// Package decide turns a fused ranking into a Decision: the shortlist with
// shared ranks, the siblings that the text cannot tell apart and the question
// that would, the verdict, the set a ticket spans, and how sure all this is.
//
// It imports routing, routing/fuse, routing/registry and the standard library. It never orders an
// unwinnable tie: not by history, recency, size or a model.
package decide
