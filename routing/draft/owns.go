package draft

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

const (
	maxOwns = 8
	minOwns = 3
	// A word that more than this share of the repositories hold tells none apart.
	maxShare = 0.5
	// weak is the part of the best word's score below which words are left out once
	// there are enough.
	weak = 0.12
)

// owns chooses the words of each repository, and says why. A word counts by how
// much of the repository is about it, and by how few others have it.
func owns(in []Input) ([][]string, []map[string]string) {
	n := noise{generic: ignored(), organisation: organisation(in), skip: ignored()}
	maps.Copy(n.skip, n.organisation)
	tallies := make([]*tally, len(in))
	held := map[string]float64{}
	for i := range in {
		tallies[i] = count(in[i], n)
		for key := range tallies[i].all() {
			held[key] += tallies[i].holds(key)
		}
	}
	words, why := make([][]string, len(in)), make([]map[string]string, len(in))
	for i, t := range tallies {
		words[i], why[i] = t.choose(len(in), held)
	}
	return words, why
}

// organisation is the words that name the organisation, and those that most
// repositories carry in their names.
func organisation(in []Input) map[string]bool {
	out, names := map[string]bool{}, map[string]int{}
	for _, one := range in {
		url := strings.TrimSuffix(strings.Trim(one.Host.CloneURL, "/"), ".git")
		if parts := strings.FieldsFunc(url, func(r rune) bool { return r == '/' || r == ':' }); len(parts) > 2 {
			for _, w := range wordsOf(parts[len(parts)-2]) {
				out[stem(w)] = true
			}
		}
		seen := map[string]bool{}
		for _, w := range wordsFrom(one.Name, 2) {
			if key := stem(w); !seen[key] {
				names[key]++
				seen[key] = true
			}
		}
	}
	for w, n := range names {
		if len(in) > 2 && float64(n) > maxShare*float64(len(in)) {
			out[w] = true
		}
	}
	return out
}

// all is every key that the repository has anything to do with.
func (t *tally) all() map[string]bool {
	keys := map[string]bool{}
	for _, m := range []map[string]int{t.files, t.prose, t.routes} {
		for key := range m {
			keys[key] = true
		}
	}
	for _, m := range []map[string]bool{t.topics, t.named} {
		for key := range m {
			keys[key] = true
		}
	}
	return keys
}

// holds tells how much a repository holds a word, from 0 to 1: one file among
// hundreds is little, prose or a hundredth of the files is all.
func (t *tally) holds(key string) float64 {
	if t.prose[key] > 0 || t.named[key] || t.topics[key] || t.routes[key] > 0 {
		return 1
	}
	if t.fileCount == 0 {
		return 0
	}
	return min(1, 100*float64(t.files[key])/float64(t.fileCount))
}

type scored struct {
	key   string
	score float64
}

func (t *tally) choose(n int, held map[string]float64) ([]string, map[string]string) {
	var all []scored
	for key := range t.all() {
		if t.short(key) || held[key] > 1 && held[key] > maxShare*float64(n) && n > 1 {
			continue
		}
		if s := t.score(key, n, held[key]); s > 0 {
			all = append(all, scored{key, s})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key))
	})
	var words []string
	var keys []string
	why := map[string]string{}
	for _, s := range all {
		if len(words) == maxOwns || len(words) >= minOwns && s.score < weak*all[0].score {
			break
		}
		if says(keys, s.key) {
			continue
		}
		word := t.written(s.key)
		keys, words = append(keys, s.key), append(words, word)
		why[word] = t.reason(s.key, n, held[s.key])
	}
	return words, why
}

// score weighs one word. Of a single repository there is nothing to tell it
// from: what its own words say first is all there is.
func (t *tally) score(key string, n int, held float64) float64 {
	phrase := strings.Contains(key, " ")
	about := 1.5 * math.Log1p(float64(t.prose[key]))
	if n > 1 && t.files[key] == 0 && t.routes[key] == 0 && !t.named[key] {
		about *= 0.3 // a word of the text that no file is named by is seldom a subject
	}
	if t.named[key] {
		about += 2
	}
	if t.topics[key] {
		about++
	}
	if n == 1 {
		if phrase {
			return about / 2
		}
		return about
	}
	if t.fileCount > 0 && (t.files[key] > 1 || t.fileCount < 30) {
		about += 4 * math.Sqrt(float64(t.files[key])/float64(t.fileCount))
	}
	if t.routeMax > 0 {
		about += 2 * math.Sqrt(float64(t.routes[key])/float64(t.routeMax))
	}
	if phrase {
		about *= 0.5 // rarely written in a row
	}
	return about * math.Log((float64(n)+1)/(held+0.5))
}

// says tells whether the chosen keys already say this one: a phrase and its words
// say the same.
func says(chosen []string, key string) bool {
	for _, c := range chosen {
		for _, w := range strings.Fields(c) {
			if slices.Contains(strings.Fields(key), w) {
				return true
			}
		}
	}
	return false
}

// written is the commonest form of a key's words.
func (t *tally) written(key string) string {
	var out []string
	for _, w := range strings.Fields(key) {
		forms := t.forms[w]
		best := w
		if len(forms) > 0 {
			best = slices.MinFunc(slices.Collect(maps.Keys(forms)), func(a, b string) int {
				return cmp.Or(cmp.Compare(forms[b], forms[a]), cmp.Compare(a, b))
			})
		}
		out = append(out, best)
	}
	return strings.Join(out, " ")
}

// reason says in a person's words where a word was read and how rare it is.
func (t *tally) reason(key string, n int, held float64) string {
	var where []string
	if t.named[key] {
		where = append(where, "its name")
	}
	if t.prose[key] > 0 {
		where = append(where, "its description")
	}
	if t.topics[key] {
		where = append(where, "its topics")
	}
	if t.files[key] > 0 {
		where = append(where, fmt.Sprintf("%d of %d files", t.files[key], t.fileCount))
	}
	if t.routes[key] > 0 {
		where = append(where, fmt.Sprintf("%d of %d endpoints", t.routes[key], t.routeMax))
	}
	text := "in " + strings.Join(where, ", ")
	if n > 1 {
		others := int(math.Round(max(0, held-t.holds(key))))
		switch others {
		case 0:
			text += "; no other repository is about it"
		case 1:
			text += "; 1 other repository is about it"
		default:
			text += fmt.Sprintf("; %d of %d others are about it", others, n-1)
		}
	}
	return text
}
