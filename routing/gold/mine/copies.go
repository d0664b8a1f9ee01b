package mine

import (
	"path"
	"slices"
	"sort"
	"strings"
)

// owners tells the history that a repository made itself from the history it
// took over when it was split off or forked.
type owners struct {
	own   map[string][]int64  // by repository: when the commits that are its own were committed, sorted
	words map[string][]string // by repository: the words of its name by which its folders go
}

// shared marks an identity that stands in several repositories.
const shared = -1

// findOwners counts as a repository's own the commits whose time of
// writing and title stand in no other repository.
func findOwners(histories []*History) owners {
	at := map[uint64]int{}
	for i, h := range histories {
		for j := range h.commits {
			id := h.commits[j].identity
			if first, ok := at[id]; !ok {
				at[id] = i
			} else if first != i {
				at[id] = shared
			}
		}
	}
	o := owners{own: map[string][]int64{}, words: nameWords(histories)}
	for _, h := range histories {
		for j := range h.commits {
			if c := &h.commits[j]; at[c.identity] != shared {
				o.own[h.repo] = append(o.own[h.repo], c.committed)
			}
		}
		slices.Sort(o.own[h.repo])
	}
	return o
}

// before counts a repository's own commits before a time.
func (o owners) before(repo string, t int64) int {
	own := o.own[repo]
	return sort.Search(len(own), func(i int) bool { return own[i] >= t })
}

// placed is one commit in its repository.
type placed struct {
	repo string
	c    *commit
}

// markCopies decides among commits that were written in one second under one
// title in several repositories. Those that change no file of the same name are
// no copies: a script went through both. Committed at one and the same second, they are one commit and a
// copied history: it counts where the default branch holds it; where that does not
// decide, where its files name the repository; then where most own work came
// before it (a fork has none); then where own work began first; then by name. Committed at different times,
// each counts where own work came before it, for a patch may be applied twice;
// without any, the first counts.
func (o owners) markCopies(same []placed) {
	byTime := map[int64][]placed{}
	for _, p := range same {
		byTime[p.c.committed] = append(byTime[p.c.committed], p)
	}
	var times []int64
	for t := range byTime {
		times = append(times, t)
	}
	slices.Sort(times)
	homes := map[int64]placed{}
	alive := false
	for _, t := range times {
		homes[t] = o.home(byTime[t], t)
		alive = alive || o.before(homes[t].repo, t) > 0
	}
	for i, t := range times {
		stands := o.before(homes[t].repo, t) > 0 || !alive && i == 0
		for _, p := range byTime[t] {
			if !stands || p.repo != homes[t].repo && alike(p.c.files, homes[t].c.files) {
				p.c.mark(MarkCopy)
			}
		}
	}
}

// alike tells whether two changes touch a source file of the same name.
func alike(a, b []string) bool {
	names := map[string]bool{}
	for _, f := range a {
		names[path.Base(f)] = true
	}
	for _, f := range b {
		if names[path.Base(f)] {
			return true
		}
	}
	return false
}

// home chooses the repository where a commit was made.
func (o owners) home(same []placed, t int64) placed {
	best := same[0]
	for _, p := range same[1:] {
		if o.closer(p, best, same, t) {
			best = p
		}
	}
	return best
}

func (o owners) closer(a, b placed, same []placed, t int64) bool {
	if a.c.isDefault != b.c.isDefault {
		return a.c.isDefault
	}
	if x, y := o.named(a, same), o.named(b, same); x != y {
		return x
	}
	if x, y := o.before(a.repo, t), o.before(b.repo, t); x != y {
		return x > y
	}
	if x, y := o.first(a.repo), o.first(b.repo); x != y {
		return x < y
	}
	return a.repo < b.repo
}

func (o owners) first(repo string) int64 {
	if own := o.own[repo]; len(own) > 0 {
		return own[0]
	}
	return 1 << 62
}

// named tells whether most of the changed source lies in folders that go by the
// repository's name. A folder that was split off has lost its own name on the way;
// the paths of the other copies still have it.
func (o owners) named(p placed, same []placed) bool {
	n, all := 0, len(p.c.files)
	for _, f := range p.c.files {
		if slices.ContainsFunc(forms(f, p, same), func(form string) bool { return o.bears(form, p.repo) }) {
			n++
		}
	}
	for _, q := range same {
		all = max(all, len(q.c.files)) // what was not split off speaks for where it stayed
	}
	return 2*n > all
}

// forms lists a file's path and the longer ones that it has in other copies.
func forms(file string, p placed, same []placed) []string {
	list := []string{file}
	for _, q := range same {
		if q.repo == p.repo {
			continue
		}
		for _, f := range q.c.files {
			if strings.HasSuffix(f, "/"+file) {
				list = append(list, f)
			}
		}
	}
	return list
}

// bears tells whether a file lies in a folder that goes by a repository's name.
func (o owners) bears(file, repo string) bool {
	return slices.ContainsFunc(splitName(path.Dir(file)), func(part string) bool {
		return slices.Contains(o.words[repo], strings.TrimRight(part, "0123456789"))
	})
}

// nameWords lists the words of each name, but not those that many names share.
func nameWords(histories []*History) map[string][]string {
	const many = 3
	uses := map[string]int{}
	for _, h := range histories {
		for _, w := range splitName(h.repo) {
			uses[w]++
		}
	}
	all := map[string][]string{}
	for _, h := range histories {
		words := splitName(h.repo)
		if len(words) > 1 {
			words = slices.DeleteFunc(words, func(w string) bool { return uses[w] >= many })
		}
		all[h.repo] = words
	}
	return all
}

func splitName(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune("/-_. ", r) })
}
