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
	"github.com/pointsman/pointsman/routing/registry/lint"
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

// Check concludes on a change. Target and Commit are the caller's to fill in. It fails
// when the registry could not be used, is neutral when the change brings something to
// look at, and succeeds otherwise. What stood before the change is counted only.
func Check(c Change) bot.Check {
	reg, found, older := read(c)
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(rank(a.level), rank(b.level)), cmp.Compare(a.line, b.line))
	})
	out := bot.Check{Name: Name, Conclusion: bot.CheckSuccess}
	switch {
	case count(found, bot.RemarkFailure) > 0:
		out.Conclusion = bot.CheckFailure
	case count(found, bot.RemarkWarning) > 0:
		out.Conclusion = bot.CheckNeutral
	}
	out.Title, out.Summary = title(reg, found), summary(c, reg, found, older)
	for _, f := range found[:min(len(found), maxFindings)] {
		out.Remarks = append(out.Remarks, bot.Remark{Path: c.Path, Line: max(f.line, 1), Level: f.level, Text: f.text})
	}
	if c.Gone { // a remark needs a file to stand in
		out.Remarks = nil
	}
	out.Mark = mark(out)
	return out
}

// read returns the registry of a change, nil when it cannot be used, what is to be
// said of it, and how much of that could be said of the registry in force too.
func read(c Change) (reg *registry.Registry, found []finding, older int) {
	fail := func(text string) []finding { return []finding{{bot.RemarkFailure, 0, text}} }
	switch {
	case c.Gone:
		return nil, fail(c.Path + " is no longer there; keep it, or name another place in registry.path first"), 0
	case c.Sick != "":
		return nil, fail(c.Sick), 0
	}
	next, err := registry.Parse(c.Path, c.Data)
	if err == nil {
		err = next.Confine(c.Rules)
	}
	if err != nil {
		for _, f := range lint.Refused(c.Path, err) {
			found = append(found, of(f))
		}
		var bad *registry.Invalid
		if errors.As(err, &bad) && bad.More > 0 {
			found = append(found, fail(fmt.Sprintf("%d more of the kind; mend these first", bad.More))...)
		}
		return nil, found, 0
	}
	known := map[string]bool{}
	if c.Now != nil {
		for _, f := range lint.Check(*c.Now, lint.Options{}) {
			known[same(f)] = true
		}
	}
	for _, f := range lint.Check(next, lint.Options{}) {
		if known[same(f)] {
			older++
			continue
		}
		found = append(found, of(f))
	}
	return &next, found, older
}

// same is equal for findings that say the same of an entry, wherever it stands.
func same(f lint.Finding) string { return f.Rule + "\x00" + f.Entry + "\x00" + f.Text }

// of is a finding without its file, which a remark has anyway.
func of(f lint.Finding) finding {
	level := bot.RemarkNotice
	switch f.Severity {
	case lint.Error:
		level = bot.RemarkFailure
	case lint.Warning:
		level = bot.RemarkWarning
	case lint.Note:
	}
	text := f.Text
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Mend != "" {
		text += "; " + f.Mend
	}
	return finding{level, f.Line, text}
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
