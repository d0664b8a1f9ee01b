package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
)

func TestTicketLosesWhatMustNotBeEvidence(t *testing.T) {
	t.Parallel()
	c := NewCleaner()
	for name, tc := range map[string]struct{ in, want string }{
		"key":              {"PAY-123 refund fails", "refund fails"},
		"key in brackets":  {"[PAY-123] refund fails", "[ ] refund fails"},
		"key in a link":    {"see https://tracker.example/browse/PAY-12?x=1 please", "see please"},
		"issue link":       {"dup of https://git.example/acme/pay/issues/7#c1 yes", "dup of yes"},
		"owner and number": {"fixed in acme/pay#12 now", "fixed in now"},
		"number":           {"same as #12", "same as"},
		"gh number":        {"see GH-12", "see"},
		"key in a branch":  {"feature/PAY-4711_fix is up", "feature/ _fix is up"},
		"key in marks":     {"see _PAY-4711_ now", "see _ _ now"},
		"other hyphen":     {"see PAY\u20114711 now", "see now"},
		"small key":        {"PAY-1: branch pay-4711 and pay-roll", ": branch and pay-roll"},
		"small key alone":  {"branch zork-4711 and java-17 and windows-1252", "branch and java-17 and windows-1252"},
		"two hyphens":      {"see ZORK--4711 now", "see now"},
		"soft hyphen":      {"see ZORK\u00ad-4711 now", "see now"},
		"board":            {"at https://x.example/jira/software/c/projects/ZORK/boards/118 now", "at now"},
		"longer link":      {"at https://tracker.example/projects/PAY/issues/PAY-4711 now", "at now"},
		"board link":       {"at https://tracker.example/board?selectedIssue=PAY-4711 now", "at now"},
		"discussion":       {"at https://git.example/acme/pay/discussions/4711 now", "at now"},
		"pull path":        {"as acme/pay/pull/4711 says", "as says"},
		"merge request":    {"as acme/pay!4711 says", "as says"},
		"inside a word":    {"the XPAY-12X part", "the XPAY-12X part"},
		"a standard":       {"wrong UTF-8 and SHA-256", "wrong UTF-8 and SHA-256"},
		"a file link":      {"https://git.example/acme/pay/blob/main/a.go", "https://git.example/acme/pay/blob/main/a.go"},
		"own key":          {"about t22d84c5f71 itself", "about itself"},
		"NUL and controls": {"a\x00b\x1b[31mc", "ab[31mc"},
		"direction marks":  {"abc\u202edef\u2066ghi", "abcdefghi"},
		"full width":       {"ＡＰＩ　error", "API error"},
		"invalid UTF-8":    {"caf\xff\xe9", "caf"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := c.Ticket(routing.Ticket{Ref: routing.Ref{Key: "t22d84c5f71"}, Title: tc.in, Body: tc.in})
			if got.Title != tc.want {
				t.Errorf("title %q, want %q", got.Title, tc.want)
			}
			if strings.Join(strings.Fields(got.Body), " ") != tc.want {
				t.Errorf("body %q, want %q", got.Body, tc.want)
			}
		})
	}
}

func TestTicketKeepsWordsThatAreAlsoItsKey(t *testing.T) {
	t.Parallel()
	got := NewCleaner().Ticket(routing.Ticket{Ref: routing.Ref{Key: "parser"}, Title: "the parser fails"})
	if got.Title != "the parser fails" {
		t.Errorf("title %q: a key that is a plain word must stay in the text", got.Title)
	}
}

func TestTicketIsBounded(t *testing.T) {
	t.Parallel()
	got := NewCleaner().Ticket(routing.Ticket{Title: strings.Repeat("é", 200_000), Body: strings.Repeat("日", 200_000)})
	if n := utf8.RuneCountInString(got.Title); n != MaxTitle {
		t.Errorf("title has %d runes, want %d", n, MaxTitle)
	}
	if n := utf8.RuneCountInString(got.Body); n != MaxBody {
		t.Errorf("body has %d runes, want %d", n, MaxBody)
	}
}

func FuzzTicket(f *testing.F) {
	for _, s := range []string{"PAY-1 x", "a/b#1", "https://x/browse/A-1", "\x00\u202e", "UTF-8 PAY-8"} {
		f.Add(s)
	}
	c := NewCleaner()
	f.Fuzz(func(t *testing.T, s string) {
		got := c.Ticket(routing.Ticket{Title: s, Body: s})
		if !utf8.ValidString(got.Body) || strings.ContainsRune(got.Body, 0) {
			t.Errorf("unclean body %q", got.Body)
		}
		for _, k := range c.keysOf(got.Title) {
			t.Errorf("key %q left in %q", got.Title[k[0]:k[1]], got.Title)
		}
	})
}
