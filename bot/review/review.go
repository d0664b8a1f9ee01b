package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/registry/lint"
)

// Name is what people see a check under.
const Name = "pointsman registry"

const (
	// maxFindings bounds the remarks of one check.
	maxFindings = 500
	maxRemark   = 4000 // characters
	// What is looked at entry by entry: beyond that a person runs lint on a machine of
	// their own, instead of holding up the checks of everybody else.
	maxLinted      = 5000    // entries
	maxLintedBytes = 2 << 20 // of the file
)

// Change is a registry as a pull request would have it.
type Change struct {
	Path  string // in its repository
	Data  []byte
	Gone  bool   // there is no such file any more
	Sick  string // why it could not be read; "" = it was, or is gone
	Rules registry.Rules
	Now   *registry.Registry // the one in force; nil = there is none yet

	TablesPath string // of the routing tables beside it
	Tables     []byte // nil: there are none
	TablesSick string // why they could not be read
}

// finding is something to say about a line.
type finding struct {
	path  string // "" = the registry's
	level string // of a bot.Remark
	line  int    // from 1; 0 = the file as a whole
	text  string
}

// Check concludes on a change. Target and Commit are the caller's to fill in. It fails
// when the registry could not be used, is neutral when the change brings something to
// look at, and succeeds otherwise. What stood before the change is counted only. The
// error is that of ctx: such a check is not to be said.
func Check(ctx context.Context, c Change) (bot.Check, error) {
	reg, found, older := read(ctx, c)
	if err := ctx.Err(); err != nil {
		return bot.Check{}, fmt.Errorf("checking the registry: %w", err)
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(weight(a.level), weight(b.level)), cmp.Compare(a.line, b.line))
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
		out.Remarks = append(out.Remarks, bot.Remark{Path: cmp.Or(f.path, c.Path), Line: max(f.line, 1), Level: f.level, Text: bot.CleanLine(f.text, maxRemark)})
	}
	if c.Gone { // a remark needs a file to stand in
		out.Remarks = nil
	}
	out.Mark = mark(out)
	return out, nil
}

// read returns the registry of a change, nil when it cannot be used, what is to be
// said of it, and how much of that could be said of the registry in force too.
func read(ctx context.Context, c Change) (reg *registry.Registry, found []finding, older int) {
	fail := func(text string) []finding { return []finding{{level: bot.RemarkFailure, text: text}} }
	switch {
	case c.Gone:
		return nil, fail(c.Path + " is no longer there; keep it, or name another place in registry.path first"), 0
	case c.Sick != "":
		return nil, fail(c.Sick), 0
	}
	bad := tables(c)
	if ctx.Err() != nil {
		return nil, nil, 0
	}
	next, err := registry.Parse(c.Path, c.Data)
	if err == nil {
		err = next.Confine(c.Rules)
	}
	if err != nil {
		for _, f := range lint.Refused(c.Path, err) {
			found = append(found, of(f))
		}
		var all *registry.Invalid
		if errors.As(err, &all) && all.More > 0 {
			found = append(found, fail(fmt.Sprintf("%d more of the kind; mend these first", all.More))...)
		}
		return nil, append(found, bad...), 0
	}
	if len(bad) > 0 {
		return nil, bad, 0
	}
	found, older = looked(ctx, c, next)
	return &next, found, older
}

// looked says what lint finds anew in a registry that can be used.
func looked(ctx context.Context, c Change, next registry.Registry) (found []finding, older int) {
	if n := len(next.Repos); n > maxLinted || len(c.Data) > maxLintedBytes {
		return []finding{{level: bot.RemarkNotice, text: fmt.Sprintf(
			"it holds %d entries in %d KiB; beyond %d entries or %d KiB they are not looked at one by one here: run pointsman lint",
			n, len(c.Data)>>10, maxLinted, maxLintedBytes>>10)}}, 0
	}
	known := map[string]bool{}
	if c.Now != nil && len(c.Now.Repos) <= maxLinted && ctx.Err() == nil {
		for _, f := range lint.Check(*c.Now, lint.Options{}) {
			known[same(f)] = true
		}
	}
	if ctx.Err() != nil {
		return nil, 0
	}
	for _, f := range lint.Check(next, lint.Options{}) {
		if known[same(f)] {
			older++
			continue
		}
		found = append(found, of(f))
	}
	return found, older
}

// tables says what is wrong with the routing tables: without them the registry is not
// used either, since its answers would be others.
func tables(c Change) []finding {
	why := c.TablesSick
	if why == "" && c.Tables != nil {
		if _, err := rank.ParseTables(c.TablesPath, c.Tables); err != nil {
			why = err.Error()
		}
	}
	if why == "" {
		return nil
	}
	line := 0
	if m := regexp.MustCompile(regexp.QuoteMeta(c.TablesPath) + `:(\d{1,6})`).FindStringSubmatch(why); m != nil {
		line, _ = strconv.Atoi(m[1]) // digits
	}
	return []finding{{c.TablesPath, bot.RemarkFailure, line, why}}
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
	return finding{"", level, f.Line, text}
}

func weight(level string) int {
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
