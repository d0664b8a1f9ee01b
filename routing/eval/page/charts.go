package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing/eval"
)

// Geometry is in the user units of each drawing's viewBox, which are about pixels.

// span is where a scale is drawn.
type span struct{ from, to float64 }

func (s span) at(share float64) float64 { return round(s.from + share*(s.to-s.from)) }

func round(x float64) float64 { return math.Round(x*10) / 10 }

// tick is a labelled line of a scale.
type tick struct {
	At    float64
	Label string
}

func quarters(s span) []tick {
	var ticks []tick
	for i := range 5 {
		share := float64(i) / 4
		ticks = append(ticks, tick{s.at(share), fmt.Sprintf("%.0f %%", 100*share)})
	}
	return ticks
}

// intervalChart is a row for each system: top-1 and top-3 with their intervals.
type intervalChart struct {
	Height, Bottom float64
	Ticks          []tick
	Rows           []intervalRow
}

type intervalRow struct {
	Name     string
	Y        float64
	Baseline bool
	Marks    []intervalMark
}

type intervalMark struct {
	Class, What           string
	X, Y, Lo, Hi          float64
	Value, LoText, HiText string
}

// Top is where the row begins, the others where its parts are drawn.
func (r intervalRow) Top() float64      { return r.Y - 23 }
func (r intervalRow) LabelY() float64   { return r.Y + 4 }
func (m intervalMark) TextY() float64   { return m.Y + 4 }
func (m intervalMark) SquareX() float64 { return round(m.X - 4) }
func (m intervalMark) SquareY() float64 { return m.Y - 4 }

// ScaleY is where the scale's labels stand.
func (c intervalChart) ScaleY() float64 { return c.Bottom + 18 }

// TextAt is the base line of a label beside its line.
func (t tick) TextAt() float64 { return round(t.At + 4) }

func intervals(systems []eval.System) intervalChart {
	const row, top = 46.0, 8.0
	scale := span{170, 690}
	c := intervalChart{Bottom: top + row*float64(len(systems)), Ticks: quarters(scale)}
	c.Height = c.Bottom + 26
	for i, s := range systems {
		y := top + row*float64(i) + row/2
		r := intervalRow{Name: systemWords(s.Name), Y: y, Baseline: s.Name == eval.SystemNull || s.Name == eval.SystemTriple}
		for _, m := range []struct {
			class, what, key string
			value, dy        float64
		}{{"one", "first is right", "top1", s.Top1, -9}, {"three", "right one among the first three", "top3", s.Top3, 9}} {
			ci := s.CI95[m.key]
			r.Marks = append(r.Marks, intervalMark{
				Class: m.class, What: m.what, Y: y + m.dy, X: scale.at(m.value), Lo: scale.at(ci[0]), Hi: scale.at(ci[1]),
				Value: percent(m.value), LoText: percent(ci[0]), HiText: percent(ci[1]),
			})
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

// curveChart is accuracy against the share of tickets that are answered.
type curveChart struct {
	X, Y   []tick
	Lines  []curveLine
	Floor  string // where the accuracy scale begins
	Points int
}

type curveLine struct {
	Class, Name, Path string
	Dots              []curveDot
	EndY              float64
}

type curveDot struct {
	X, Y float64
	Text string
}

func curve(r eval.Report) curveChart {
	points := r.ByCoverage
	c := curveChart{Points: len(points)}
	if len(points) == 0 {
		return c
	}
	least := 1.0
	for _, p := range points {
		least = min(least, p.Top1, p.Top3)
	}
	floor := max(0, math.Floor(least*10-1)/10) // one tenth below the lowest point, so that slopes can be seen
	x, y := span{60, 640}, span{270, 14}
	c.X, c.Floor = quarters(x), fmt.Sprintf("%.0f %%", 100*floor)
	for i := range 6 {
		share := float64(i) / 5
		c.Y = append(c.Y, tick{y.at(share), fmt.Sprintf("%.0f %%", 100*(floor+share*(1-floor)))})
	}
	for _, l := range []struct {
		class, name string
		of          func(eval.CurvePoint) float64
	}{
		{"one", "first is right", func(p eval.CurvePoint) float64 { return p.Top1 }},
		{"three", "right one in first 3", func(p eval.CurvePoint) float64 { return p.Top3 }},
	} {
		line := curveLine{Class: l.class, Name: l.name}
		var path []string
		for _, p := range points {
			d := curveDot{X: x.at(p.Share), Y: y.at((l.of(p) - floor) / (1 - floor)), Text: fmt.Sprintf(
				"%s: %s of the %d tickets answered (%s of all), those ahead by %.3f or more", l.name, percent(l.of(p)), p.N, percent(p.Share), p.Margin)}
			line.Dots = append(line.Dots, d)
			path = append(path, fmt.Sprintf("%g,%g", d.X, d.Y))
		}
		line.Path, line.EndY = strings.Join(path, " "), line.Dots[len(line.Dots)-1].Y+4
		c.Lines = append(c.Lines, line)
	}
	if a, b := &c.Lines[0], &c.Lines[1]; math.Abs(a.EndY-b.EndY) < 16 { // keep the two labels apart
		a.EndY, b.EndY = max(a.EndY, b.EndY)+8, min(a.EndY, b.EndY)-8
	}
	return c
}

// reliabilityPlot is confidence against what came of it.
type reliabilityPlot struct {
	Title, ECE string
	Ticks      []tick
	YTicks     []tick
	Dots       []reliabilityDot
}

type reliabilityDot struct {
	X, Y, R float64
	N       int
	Text    string
}

// TextX and TextY are where the number of decisions stands.
func (d reliabilityDot) TextX() float64 { return round(d.X + d.R + 3) }
func (d reliabilityDot) TextY() float64 { return round(d.Y + 4) }

func reliability(title string, bins []eval.Bin, ece float64) reliabilityPlot {
	x, y := span{50, 290}, span{250, 10}
	p := reliabilityPlot{Title: title, ECE: percent(ece), Ticks: quarters(x), YTicks: quarters(y)}
	most := 1
	for _, b := range bins {
		most = max(most, b.N)
	}
	for _, b := range bins {
		p.Dots = append(p.Dots, reliabilityDot{
			X: x.at(b.Confidence), Y: y.at(b.Accuracy), N: b.N, R: round(3 + 6*math.Sqrt(float64(b.N)/float64(most))),
			Text: fmt.Sprintf("%s: said %s, came true %s", count(b.N, "decision"), percent(b.Confidence), percent(b.Accuracy)),
		})
	}
	return p
}

// repoBar is one repository's row, the weakest first.
type repoBar struct {
	eval.RepoRow
	One, Three float64 // lengths of the bars, of 200
}

func repoBars(rows []eval.RepoRow) []repoBar {
	var bars []repoBar
	for _, r := range rows {
		bars = append(bars, repoBar{RepoRow: r, One: round(200 * r.Top1), Three: round(200 * r.Top3)})
	}
	slices.SortStableFunc(bars, func(a, b repoBar) int {
		if (a.N == 0) != (b.N == 0) { // those that no ticket needs come last
			return cmp.Compare(b.N, a.N)
		}
		return cmp.Or(cmp.Compare(a.Top3, b.Top3), cmp.Compare(a.Top1, b.Top1), cmp.Compare(b.N, a.N))
	})
	return bars
}
