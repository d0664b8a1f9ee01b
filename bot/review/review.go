package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing/registry"
)

// Name is what people see a check under.
const Name = "pointsman registry"

// maxFindings bounds the remarks of one check.
const maxFindings = 500

// Change is a registry as a pull request would have it.
type Change struct {
	Path  string // in its repository
	Data  []byte
	Gone  bool   // there is no such file any more
	Sick  string // why it could not be read; "" = it was, or is gone
	Rules registry.Rules
	Now   *registry.Registry // the one in force; nil = there is none yet
}

// finding is something to say about a line.
type finding struct {
	level string // of a bot.Remark
	line  int    // from 1; 0 = the file as a whole
	text  string
}

// Check concludes on a change. Target, Commit and Name are the caller's to fill in.
// It fails when the registry could not be used, is neutral when there is something to
// look at, and succeeds otherwise.
func Check(c Change) bot.Check {
	reg, found := read(c)
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(rank(a.level), rank(b.level)), cmp.Compare(a.line, b.line))
	})
	failures := count(found, bot.RemarkFailure)
	out := bot.Check{Name: Name, Conclusion: bot.CheckSuccess}
	switch {
	case failures > 0:
		out.Conclusion = bot.CheckFailure
	case count(found, bot.RemarkWarning) > 0:
		out.Conclusion = bot.CheckNeutral
	}
	out.Title, out.Summary = title(reg, found), summary(c, reg, found)
	for _, f := range found[:min(len(found), maxFindings)] {
		out.Remarks = append(out.Remarks, bot.Remark{Path: c.Path, Line: max(f.line, 1), Level: f.level, Text: f.text})
	}
	if c.Gone { // a remark needs a file to stand in
		out.Remarks = nil
	}
	out.Mark = mark(out)
	return out
}

// read returns the registry of a change, nil when it cannot be used, and what is to
// be said of it.
func read(c Change) (*registry.Registry, []finding) {
	switch {
	case c.Gone:
		return nil, []finding{{bot.RemarkFailure, 0, fmt.Sprintf("%s is no longer there; keep it, or name another place in registry.path first", c.Path)}}
	case c.Sick != "":
		return nil, []finding{{bot.RemarkFailure, 0, c.Sick}}
	}
	reg, err := registry.Parse(c.Path, c.Data)
	if err != nil {
		return nil, refused(err)
	}
	if err := reg.Confine(c.Rules); err != nil {
		return nil, refused(err)
	}
	found := make([]finding, 0, len(reg.Defects))
	for _, d := range reg.Defects {
		found = append(found, finding{bot.RemarkWarning, d.Line, text(d)})
	}
	return &reg, found
}

// refused lists why a registry cannot be used.
func refused(err error) []finding {
	var bad *registry.Invalid
	if !errors.As(err, &bad) {
		return []finding{{bot.RemarkFailure, 0, err.Error()}}
	}
	var found []finding
	for _, d := range bad.Defects {
		found = append(found, finding{bot.RemarkFailure, d.Line, text(d)})
	}
	if bad.More > 0 {
		found = append(found, finding{bot.RemarkFailure, 0, fmt.Sprintf("%d more of the kind; mend these first", bad.More)})
	}
	return found
}

// text is a defect without its place in the file, which a remark has anyway.
func text(d registry.Defect) string {
	s := d.Text
	if d.Path != "" {
		s = d.Path + ": " + s
	}
	if d.Mend != "" {
		s += "; " + d.Mend
	}
	return s
}

func rank(level string) int {
	return slices.Index([]string{bot.RemarkFailure, bot.RemarkWarning, bot.RemarkNotice}, level)
}

func count(found []finding, level string) (n int) {
	for _, f := range found {
		if f.level == level {
			n++
		}
	}
	return n
}

// mark is the same for checks that say the same.
func mark(c bot.Check) string {
	raw, err := json.Marshal([]any{c.Conclusion, c.Title, c.Summary, c.Remarks})
	if err != nil { // strings and numbers always can be
		return "pointsman:v1"
	}
	sum := sha256.Sum256(raw)
	return "pointsman:v1:" + hex.EncodeToString(sum[:16])
}
