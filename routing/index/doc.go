// Package index is the code index: documents of one commit in, scored chunks
// out. A Builder turns the files of one repository at one commit into a segment;
// a Segment is that immutable generation, opened; a Set answers one query over
// all segments with statistics shared across repositories, so that scores compare.
//
// It imports routing, routing/text and the standard library. It knows nothing of
// git, of hosts or of how a repository is chosen, and it never changes a segment
// that was published.
package index
