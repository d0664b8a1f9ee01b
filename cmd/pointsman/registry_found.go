package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/draft"
)

// foundWidth is how many columns what was found may take.
const foundWidth = 100

// grid prints rows in aligned columns. The last column is not padded, and a
// column in which nothing stands is left out.
type grid struct {
	head  []string
	right map[int]bool // columns of numbers
	rows  [][]string
	below [][]string // lines under each row, indented
}

func (g *grid) add(below []string, cells ...string) {
	g.rows = append(g.rows, cells)
	g.below = append(g.below, below)
}

func (g *grid) print(p *printer) {
	widths := make([]int, len(g.head))
	for _, row := range g.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, w := range widths {
		if w > 0 {
			widths[i] = max(w, len(g.head[i]))
		}
	}
	p.line("%s", g.row(widths, g.head))
	for i, row := range g.rows {
		p.line("%s", g.row(widths, row))
		for _, line := range g.below[i] {
			p.line("    %s", line)
		}
	}
}

func (g *grid) row(widths []int, cells []string) string {
	var b strings.Builder
	for i, cell := range cells {
		if widths[i] == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("  ")
		}
		space := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
		if g.right[i] {
			b.WriteString(space + cell)
		} else {
			b.WriteString(cell + space)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// writeFound shows what was found out about each repository.
func writeFound(p *printer, list []drafted) {
	g := &grid{
		head:  []string{"repository", "languages", "frameworks", "endpoints", "events", "settings", "owner"},
		right: map[int]bool{3: true, 4: true, 5: true},
	}
	for _, d := range list {
		r := d.repo
		g.add(particulars(d), clip(r.Name, 40), few(r.Languages, 3), few(r.Frameworks, 3),
			number(len(r.Endpoints)), number(len(r.Emits)+len(r.Consumes)), number(len(r.ConfigContracts.EnvVars)),
			clip(cmp.Or(r.Owner.Team, few(r.Owners, 1)), 30))
	}
	g.print(p)
}

// particulars are the lines under a repository's row.
func particulars(d drafted) []string {
	var lines []string
	if d.unread != "" {
		lines = append(lines, clip("not read: "+oneLine(d.unread), foundWidth), "entered by its name and place alone")
	}
	if first, _, _ := strings.Cut(d.repo.Description, "\n"); first != "" {
		lines = append(lines, clip(first, foundWidth-4))
	}
	lines = append(lines, ownsLines(d)...)
	if len(d.repo.Components) > 0 {
		lines = append(lines, clip("components  "+strings.Join(d.repo.Components, ", "), foundWidth-4))
	}
	if d.repo.Archived {
		lines = append(lines, "archived")
	}
	return append(lines, failureLines(d.failures)...)
}

func ownsLines(d drafted) []string {
	width := 0
	for _, o := range d.repo.Owns {
		width = max(width, utf8.RuneCountInString(o))
	}
	var lines []string
	for i, o := range d.repo.Owns {
		lead := "owns  "
		if i > 0 {
			lead = "      "
		}
		line := lead + o
		if why := d.why[o]; why != "" {
			line += strings.Repeat(" ", width-utf8.RuneCountInString(o)) + "  " + why
		}
		lines = append(lines, clip(line, foundWidth-4))
	}
	return lines
}

// failureLines names the first things that could not be read, and counts the rest.
func failureLines(failures []routing.Failure) []string {
	const most = 3
	var lines []string
	for i, f := range failures {
		if i == most {
			return append(lines, fmt.Sprintf("not read: %s more; --json lists them", count(len(failures)-most, "file")))
		}
		lines = append(lines, clip(fmt.Sprintf("not read: %s: %s", f.Path, oneLine(f.Why)), foundWidth-4))
	}
	return lines
}

// few joins the first words of a list, and says how many there are beyond.
func few(list []string, most int) string {
	if len(list) > most {
		return fmt.Sprintf("%s +%d", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}

// number leaves out a nought: what is empty should look so.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// merged adds what another file declares. The first word stands.
func merged(a, b draft.Declared) draft.Declared {
	a.Team = cmp.Or(a.Team, b.Team)
	a.Description, a.Title = cmp.Or(a.Description, b.Description), cmp.Or(a.Title, b.Title)
	a.Lifecycle, a.System = cmp.Or(a.Lifecycle, b.Lifecycle), cmp.Or(a.System, b.System)
	a.Archived = a.Archived || b.Archived
	for _, l := range []struct{ into, from *[]string }{
		{&a.Owners, &b.Owners},
		{&a.DependsOn, &b.DependsOn},
		{&a.ProvidesTo, &b.ProvidesTo},
		{&a.Components, &b.Components},
		{&a.Names, &b.Names},
		{&a.FiledIn, &b.FiledIn},
		{&a.Tags, &b.Tags},
	} {
		for _, s := range *l.from {
			if !slices.Contains(*l.into, s) {
				*l.into = append(*l.into, s)
			}
		}
	}
	return a
}
