package mine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names() Names {
	return Names{"cart": "cart", "shop/cart": "cart", "ledger": "ledger", "books": "ledger", "shop/ledger": "ledger"}
}

func show(refs []Ref) []string {
	list := []string{}
	for _, r := range refs {
		list = append(list, fmt.Sprintf("%s %s %s", r.Key, r.Tracker, r.Rule))
	}
	return list
}

func TestParse(t *testing.T) {
	t.Parallel()
	for message, want := range map[string][]string{
		// Jira.
		"PAY-12: refunds":                                  {"PAY-12 jira key"},
		"[PAY-12] refunds; see PAY2-7.":                    {"PAY-12 jira key", "PAY2-7 jira key"},
		"Fix for pay_PAY-12":                               {},
		"https://jira.example.com/browse/PAY-12 and UTF-8": {"PAY-12 jira key", "UTF-8 jira key"},
		"PAY-12 PAY-12 PAY-012":                            {"PAY-12 jira key"},
		"PAY-1.5 PAY-1-2 pay-12 P-1 PAY-123456789 X-PAY-3": {},
		"PAY-0": {},
		// Issues of hosts.
		"Fixes #12":                                        {"cart#12 issues closes"},
		"closes: #12, resolves shop/ledger#7":              {"cart#12 issues trailer", "ledger#7 issues trailer"},
		"Fixes books#7":                                    {"ledger#7 issues closes"},
		"see Other/Thing#7":                                {"other/thing#7 issues number"},
		"as in nothing#7":                                  {},
		"see #12 and gh-13, GH-14":                         {"cart#12 issues number", "cart#13 issues number", "cart#14 issues number"},
		"Add a till (#45)":                                 {"cart#45 issues pull"},
		"Add a till (#45)\n\nFixes #44":                    {"cart#45 issues pull", "cart#44 issues closes"},
		"Add (#45) a till":                                 {"cart#45 issues number"},
		"Merge pull request #9 from ada/PAY-12-x":          {"cart#9 issues pull", "PAY-12 jira key"},
		"PR #9, pull request #10 and PR-11":                {"cart#9 issues pull", "cart#10 issues pull", "cart#11 issues pull"},
		"Fixes https://github.com/shop/ledger/issues/3":    {"ledger#3 issues closes"},
		"see https://github.com/shop/ledger/pull/4#note":   {"ledger#4 issues pull"},
		"seen at https://example.com/a/12 and /issues/3":   {},
		"colour #123456 and #12ab and C#7":                 {"cart#123456 issues vague"},
		"Fold the map (#1491) (#1503)":                     {"cart#1491 issues pull", "cart#1503 issues pull"},
		"Fold (#1491) (#1503) again":                       {"cart#1491 issues number", "cart#1503 issues number"},
		"Fold (#1491) (#x)":                                {"cart#1491 issues number"},
		"Don&#39;t fold &#0039; it, see &#12":              {"cart#12 issues number"},
		"Links in #336699, see issue #21":                  {"cart#336699 issues vague", "cart#21 issues number"},
		"See issue #336699, not 1234567 or #1234567":       {"cart#336699 issues number", "cart#1234567 issues vague"},
		"#336699 Fold, fixes #336700 and books#336701":     {"cart#336699 issues number", "cart#336700 issues closes", "ledger#336701 issues number"},
		"x\n\nFixes: #12\nSee-also: #13":                   {"cart#12 issues trailer", "cart#13 issues related"},
		"x\n\nIssue: 12\nCloses: books#3":                  {"ledger#3 issues trailer"},
		"Mention #12, then fixes #12":                      {"cart#12 issues closes"},
		"#12\n\nMore about #1, #2":                         {"cart#12 issues number", "cart#1 issues number", "cart#2 issues number"},
		"no references 2024-05-01 at 12:30, v1.2.3, 50 %.": {},
		// Numbers that repositories share.
		"x\n\nCloses-Bug: #1234567":                       {"bug#1234567 bugs trailer"},
		"x\n\ncloses-bug: 1234567\nPartial-Bug: #7":       {"bug#1234567 bugs trailer", "bug#7 bugs trailer"},
		"x\n\nRelated-Bug: #1234567":                      {"bug#1234567 bugs related"},
		"x\n\nRelated-Bug: #1234567\nBug: 1234567":        {"bug#1234567 bugs trailer"},
		"Fix bug 123456, Bug #7654":                       {"bug#123456 bugs trailer", "bug#7654 bugs trailer"},
		"bug 12 and debug 1234 are none":                  {},
		"bug #12":                                         {"cart#12 issues number"},
		"Fix bug #12":                                     {"cart#12 issues number"},
		"See https://bugs.example.net/till/+bug/1234567":  {"bug#1234567 bugs number"},
		"x\n\nCloses-Bug: https://b.example/+bug/1234567": {"bug#1234567 bugs trailer"},
		"x\n\nStory: 2001234\nTask: 30123":                {"story#2001234 bugs trailer"},
		"x\n\nStory: #2001234\nTask: #30123":              {"story#2001234 bugs trailer", "cart#30123 issues related"},
		// Text of any kind.
		"":                            {},
		"\x00#12 \xff-3 ключ-5 PAY-é": {"cart#12 issues number"},
	} {
		if d := cmp.Diff(want, show(Parse(message, "cart", names()))); d != "" {
			t.Errorf("%q: %s", message, d)
		}
	}
}

func TestParseIsBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "PAY-%d ", i+1)
	}
	if n := len(Parse(b.String(), "cart", nil)); n != maxRefs {
		t.Errorf("%d references, want %d", n, maxRefs)
	}
}

// A trailer begins its line; what a long line says far ahead of a number is none.
func TestParseLooksBackALittle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 100)
	if got := show(Parse("Closes-Bug: "+long+"#1234", "cart", nil)); got[0] != "cart#1234 issues number" {
		t.Errorf("far trailer: %v", got)
	}
	if got := show(Parse(long+"\nCloses-Bug: #1234", "cart", nil)); got[0] != "bug#1234 bugs trailer" {
		t.Errorf("near trailer: %v", got)
	}
	if got := Parse(strings.Repeat("x", 400)+"-12", "cart", nil); len(got) != 0 {
		t.Errorf("a long word is no project: %v", got)
	}
}

func TestBranchRefs(t *testing.T) {
	t.Parallel()
	projects := map[string]bool{"PAY": true}
	for branch, want := range map[string][]string{
		"PAY-12":                   {"PAY-12 jira branch"},
		"feature/pay-12-refunds":   {"PAY-12 jira branch"},
		"PAY-12+PAY-13":            {"PAY-12 jira branch", "PAY-13 jira branch"},
		"bug/1234567":              {"bug#1234567 bugs branch"},
		"issue-12":                 {"cart#12 issues branch"},
		"gh-12/x":                  {"cart#12 issues branch"},
		"release/1.12":             {},
		"CART-12":                  {},
		"dependabot/npm/till-1.2":  {},
		"pay-":                     {},
		"fix_12":                   {"cart#12 issues branch"},
		"stable/pay/2024-05-01-12": {"PAY-2024 jira branch"},
	} {
		if d := cmp.Diff(want, show(branchRefs(branch, "cart", projects))); d != "" {
			t.Errorf("%s: %s", branch, d)
		}
	}
}

func TestMergedBranch(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"Merge branch 'feature/PAY-12-x' into main":                 "feature/PAY-12-x",
		"Merge branch 'main' into PAY-12":                           "main",
		"Merge remote-tracking branch 'origin/PAY-12'":              "origin/PAY-12",
		"Merge pull request #9 from ada/PAY-12-x\n\nPAY-12 Refunds": "PAY-12-x|\nPAY-12 Refunds",
		"Merged in PAY-12 (pull request #9)\n\nRefunds":             "PAY-12|\nRefunds",
		"Merge \"Refunds\"":                                         "none",
		"PAY-12 merge of all":                                       "none",
	} {
		branch, body, ok := mergedBranch(message)
		got := branch
		if body != "" {
			got += "|" + body
		}
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"PAY-12 #3 gh-4", "x\n\nCloses-Bug: #12\nFixes: a/b#3", "https://h/o/r/issues/3", "-1", "#1", "/1", " 1", "bug 1234",
	} {
		f.Add(s, "feature/"+s)
	}
	f.Fuzz(func(t *testing.T, message, branch string) {
		seen := map[string]bool{}
		refs := Parse(message, "cart", names())
		for _, r := range refs {
			if r.Key == "" || r.Tracker == "" || r.Rule == "" || r.Text == "" || seen[r.Key] {
				t.Errorf("reference %+v of %q", r, message)
			}
			seen[r.Key] = true
		}
		if len(refs) > maxRefs {
			t.Errorf("%d references", len(refs))
		}
		branchRefs(branch, "cart", map[string]bool{"PAY": true})
		mergedBranch(message)
		newMarker().reverted(message, branch)
		if got := stripMachine(message); len(got) > len(message) {
			t.Errorf("%q grew to %q", message, got)
		}
	})
}
