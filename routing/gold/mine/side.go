package mine

import (
	"container/heap"
	"sort"
	"strings"
)

const (
	// maxSide bounds the commits that take their ticket from a merge or a branch;
	// what is longer lived is no branch of one ticket.
	maxSide = 100
	// maxBack bounds how many commits before it a revert may take back by title.
	maxBack = 20_000
	// maxPainted bounds the commits looked at to find what a merge brought in.
	maxPainted = 5_000
)

// merges gives commits that cite nothing the ticket of the merge that brought
// them in.
func (l *Links) merges(h *History, places map[string]int32) {
	for i := range h.commits {
		c := &h.commits[i]
		if len(c.parents) != 2 || c.marked(MarkMany) {
			continue
		}
		ref := l.mergeRef(h, c)
		if ref == nil {
			continue
		}
		for _, at := range side(h.commits, places, c.parents) {
			if s := &h.commits[at]; s.ref == nil && len(s.parents) < 2 {
				s.ref = &Ref{ref.Key, ref.Tracker, RuleMerge, ref.Text}
			}
		}
	}
}

// mergeRef returns the ticket of which a merge says that it brings it in.
func (l *Links) mergeRef(h *History, c *commit) *Ref {
	branch, body, known := mergedBranch(c.title + "\n" + c.body)
	if !known {
		return c.ref
	}
	ref, cited := l.first(branchRefs(branch, h.repo, l.projects))
	if ref == nil {
		ref, cited = l.first(Parse(body, h.repo, h.names))
	}
	if cited > l.miner.options.MaxKeys {
		return nil
	}
	return ref
}

// side lists the commits that the second parent reaches and the first does not,
// none when they are too many. Commits are in an order with children first.
func side(commits []commit, places map[string]int32, parents []string) []int32 {
	const main, merged = 1, 2
	colour := map[int32]int{}
	waiting := &places32{}
	alone := 0 // commits in waiting that only the merged side has reached
	paint := func(hash string, c int) {
		at, ok := places[hash]
		if !ok {
			return
		}
		was := colour[at]
		colour[at] = was | c
		switch {
		case was == 0:
			heap.Push(waiting, at)
			if c == merged {
				alone++
			}
		case was == merged && c != merged:
			alone--
		}
	}
	paint(parents[0], main)
	paint(parents[1], merged)
	var found []int32
	for steps := 0; alone > 0; steps++ {
		if steps == maxPainted || len(found) > maxSide {
			return nil
		}
		at := heap.Pop(waiting).(int32)
		if colour[at] == merged {
			found = append(found, at)
			alone--
		}
		for _, p := range commits[at].parents {
			paint(p, colour[at])
		}
	}
	if len(found) > maxSide {
		return nil
	}
	return found
}

// places32 is a heap of places, the first in front.
type places32 []int32

func (p places32) Len() int           { return len(p) }
func (p places32) Less(i, j int) bool { return p[i] < p[j] }
func (p places32) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places32) Push(x any)        { *p = append(*p, x.(int32)) }
func (p *places32) Pop() any {
	old := *p
	last := old[len(old)-1]
	*p = old[:len(old)-1]
	return last
}

// branches gives commits that cite nothing the ticket that the name of their
// branch cites, when no other branch holds them before it.
func (l *Links) branches(h *History) {
	silent := map[string]int{}
	for i := range h.commits {
		if c := &h.commits[i]; c.ref == nil && !c.isDefault && len(c.parents) < 2 {
			silent[c.branch]++
		}
	}
	refs := map[string]*Ref{}
	for branch, n := range silent {
		if n <= maxSide {
			refs[branch], _ = l.first(branchRefs(branch, h.repo, l.projects))
		}
	}
	for i := range h.commits {
		if c := &h.commits[i]; c.ref == nil && !c.isDefault && len(c.parents) < 2 {
			c.ref = refs[c.branch]
		}
	}
}

// reverts marks what was taken back. A revert that was itself taken back takes
// nothing back. Commits come newest first, so that it is known by then.
func reverts(h *History, places map[string]int32) {
	hashes := make([]string, 0, len(h.commits))
	for i := range h.commits {
		hashes = append(hashes, h.commits[i].hash)
	}
	sort.Strings(hashes)
	for i := range h.commits {
		c := &h.commits[i]
		if c.marked(MarkReverted) {
			continue
		}
		switch start, title := c.reverts[0], c.reverts[1]; {
		case start != "":
			at := sort.SearchStrings(hashes, start)
			if at < len(hashes) && strings.HasPrefix(hashes[at], start) {
				h.commits[places[hashes[at]]].mark(MarkReverted)
			}
		case title != "":
			for j := i + 1; j < min(len(h.commits), i+maxBack); j++ {
				if h.commits[j].title == title {
					h.commits[j].mark(MarkReverted)
					break
				}
			}
		}
	}
}
