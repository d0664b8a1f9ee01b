package jira

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"prose", "One *two* _three_, a-b a_b 2*3*4", "One two three, a-b a_b 2*3*4"},
		{"headings, quotes, rules", "h1. Top\nbq. said\n----\nbody", "Top\nsaid\nbody"},
		{"lists", "* one\n** two\n# three\n- four\n*bold* start", "one\ntwo\nthree\nfour\nbold start"},
		{"code stays", "Call:\n{code:java|title=x}\nif (a *b* [c]) {d}\n{code}\nend", "Call:\nif (a *b* [c]) {d}\nend"},
		{"code on one line", "a {code}*x*{code} b {noformat}[y]{noformat} c", "a *x* b [y] c"},
		{"code that never ends", "a\n{noformat}\n*b*", "a\n*b*"},
		{"monospaced", "set {{a_b*c}} now", "set a_b*c now"},
		{"links", "[the page|https://x.example/a_b] [https://y.example] [mailto:a@b.example] [z|https://z.example|smart-link]", "the page https://x.example/a_b https://y.example mailto:a@b.example z https://z.example"},
		{"people and files", "[~mari] [~accountid:5b10] [^log.txt] [not a link]", "mari  log.txt [not a link]"},
		{"pictures go", "see !shot.png|width=300! now! Really! Yes.", "see  now! Really! Yes."},
		{"macros go, braces stay", "{color:red}hot{color} {panel:title=a}b{panel} /users/{id}/x", "hot b /users/{id}/x"},
		{"tables", "||a||b||\n|c|d|", "a  b\n c d"},
		{"escapes", `\{code\} a\\b \*x\*`, "{code} a\nb *x*"},
		{"empty", " \n ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, plain(tt.in)); diff != "" {
				t.Errorf("plain(%q) differs (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("h1. a\n* b {{c}} [d|e] !f.g! {code:x}\n{code} \\\\ \\{ ??h?? ||i|")
	f.Fuzz(func(t *testing.T, s string) {
		if got := plain(s); utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("plain(%q) = %q", s, got)
		}
	})
}
