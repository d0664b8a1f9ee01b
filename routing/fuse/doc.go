// Package fuse blends rankings into one, pure and deterministic.
//
// Coverage comes before blending: a ranker counts for a repository only when it
// could have ranked it. A repository that a ranker never heard of is absent from
// both sums, so it is neither helped nor punished; one that the ranker looked at
// and found nothing for counts as zero. Where a fused ranker misses a few
// repositories, a stand-in keeps for them the place that the others gave.
//
// It imports routing and the standard library. It knows no ticket text, and no
// weight of it belongs to one named repository.
package fuse
