package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

const (
	// diffContext is how many unchanged lines stand around a change.
	diffContext = 3
	// maxFineDiff bounds the lines, old times new, that are compared one by one
	// between two lines that occur once in both texts.
	maxFineDiff = 250_000
)

// edit is one line of a comparison: ' ' in both, '-' in the old, '+' in the new.
type edit struct {
	mark byte
	line string
}

// unified compares two texts line by line, in the form that patches have. It
// returns "" when they are equal. name is what both are called; a text that is
// not there yet is /dev/null's.
func unified(name, before, after string) string {
	if before == after {
		return ""
	}
	old := name
	if before == "" {
		old = "/dev/null"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", old, name)
	edits := compareLines(splitLines(before), splitLines(after))
	for from, to := range hunks(edits) {
		writeHunk(&b, edits, from, to)
	}
	return b.String()
}

// changedLines counts the lines that a unified diff adds and takes away.
func changedLines(diff string) (added, removed int) {
	for i, line := range strings.Split(diff, "\n") {
		switch {
		case i < 2:
		case strings.HasPrefix(line, "+"):
			added++
		case strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return added, removed
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// hunks yields the ranges of edits that belong together with their context.
func hunks(edits []edit) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(edits); i++ {
			if edits[i].mark == ' ' {
				continue
			}
			last := i
			for j := i; j < len(edits) && j <= last+2*diffContext; j++ {
				if edits[j].mark != ' ' {
					last = j
				}
			}
			if !yield(max(0, i-diffContext), min(len(edits), last+diffContext+1)) {
				return
			}
			i = last
		}
	}
}

func writeHunk(b *strings.Builder, edits []edit, from, to int) {
	oldAt, newAt := 1, 1
	for _, e := range edits[:from] {
		oldAt, newAt = step(e, oldAt, newAt)
	}
	oldEnd, newEnd := oldAt, newAt
	for _, e := range edits[from:to] {
		oldEnd, newEnd = step(e, oldEnd, newEnd)
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(oldAt, oldEnd-oldAt), span(newAt, newEnd-newAt))
	for _, e := range edits[from:to] {
		b.WriteByte(e.mark)
		b.WriteString(e.line)
		b.WriteByte('\n')
	}
}

func step(e edit, oldAt, newAt int) (oldNext, newNext int) {
	if e.mark != '+' {
		oldAt++
	}
	if e.mark != '-' {
		newAt++
	}
	return oldAt, newAt
}

// span writes a range as patches do; an empty one is named by the line before it.
func span(start, count int) string {
	if count == 0 {
		start--
	}
	if count == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}

// compareLines anchors on lines that occur once in both texts, in their longest
// common order, and compares what lies between. It is close to linear.
func compareLines(a, b []string) []edit {
	var out []edit
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out = marked(out, ' ', a[:head])
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	anchors := anchorsOf(midA, midB)
	switch {
	case len(anchors) == 0 && len(midA)*len(midB) <= maxFineDiff:
		out = append(out, fine(midA, midB)...)
	case len(anchors) == 0:
		out = marked(marked(out, '-', midA), '+', midB)
	default:
		i, j := 0, 0
		for _, at := range anchors {
			out = append(out, compareLines(midA[i:at[0]], midB[j:at[1]])...)
			out = append(out, edit{' ', midA[at[0]]})
			i, j = at[0]+1, at[1]+1
		}
		out = append(out, compareLines(midA[i:], midB[j:])...)
	}
	return marked(out, ' ', a[len(a)-tail:])
}

func marked(out []edit, mark byte, lines []string) []edit {
	for _, line := range lines {
		out = append(out, edit{mark, line})
	}
	return out
}

// anchorsOf returns pairs of positions, rising in both texts, of equal lines that
// occur once in each.
func anchorsOf(a, b []string) [][2]int {
	inA, inB := map[string][]int{}, map[string]int{}
	for i, line := range a {
		inA[line] = append(inA[line], i)
	}
	for _, line := range b {
		inB[line]++
	}
	var pairs [][2]int // in the order of b
	for j, line := range b {
		if inB[line] == 1 && len(inA[line]) == 1 {
			pairs = append(pairs, [2]int{inA[line][0], j})
		}
	}
	return rising(pairs)
}

// rising keeps the longest run of pairs whose first numbers rise, too.
func rising(pairs [][2]int) [][2]int {
	var ends []int // index of the pair that ends the best run of each length
	before := make([]int, len(pairs))
	for k, p := range pairs {
		n := sort.Search(len(ends), func(i int) bool { return pairs[ends[i]][0] >= p[0] })
		before[k] = -1
		if n > 0 {
			before[k] = ends[n-1]
		}
		ends = append(ends[:n], append([]int{k}, ends[min(n+1, len(ends)):]...)...)
	}
	var out [][2]int
	if len(ends) > 0 {
		for k := ends[len(ends)-1]; k >= 0; k = before[k] {
			out = append(out, pairs[k])
		}
	}
	slices.Reverse(out)
	return out
}

// fine compares line by line for the longest common sequence.
func fine(a, b []string) []edit {
	common := make([][]int, len(a)+1) // length from a[i:], b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}
