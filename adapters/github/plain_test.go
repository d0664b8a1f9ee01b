package github

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"prose", "One *two* __three__ ~~four~~\nfive", "One two three four\nfive"},
		{"code stays", "Call `List<String> a_b`:\n\n```java\nif (a < b) { <b>x</b> }\n```\n\n    indented *code*", "Call List<String> a_b:\nif (a < b) { <b>x</b> }\nindented *code*"},
		{"links keep their addresses", "See [the page](https://ferry.example/a_b \"t\") or <https://x.example> and https://y.example.", "See the page https://ferry.example/a_b  or https://x.example and https://y.example."},
		{"pictures keep their words", "![the fare screen](https://img.example/1.png)", "the fare screen"},
		{"comments go", "a <!-- inline --> b\n\n<!-- a\nblock -->\n\nc", "a  b\nc"},
		{"a comment that never ends", "a\n\n<!-- open\nb", "a"},
		{"tags go, text stays", "a<br>b <kbd>Ctrl</kbd>\n\n<details><summary>Log</summary>\nx &amp; y &lt;z&gt;\n</details>", "a b  Ctrl\n  Log \nx & y <z>"},
		{"entities and escapes", "1 &lt; 2 &amp; \\*3\\* &copy;", "1 < 2 & *3* ©"},
		{"entities bring nothing back", "a&#0;b&#x202e;c&#7;d", "a\ufffdbcd"},
		{"lists and quotes", "> quoted\n\n1. one\n2. two\n   - three", "quoted\none\ntwo\nthree"},
		{"tables", "| a | b |\n|---|---|\n| `c` | d |", "a b\nc d"},
		{
			"forms: empty sections, fillers and declarations go",
			"### What happened?\n\nIt charged twice.\n\n### Logs\n\n_No response_\n\n### Version\n\n### Checks\n\n- [X] I have searched the issues\n- [ ] reboot the ferry",
			"What happened?\nIt charged twice.\nChecks\nreboot the ferry",
		},
		{"headings above headings stay", "# Top\n\n## Sub\n\ntext", "Top\nSub\ntext"},
		{"not a tag", "a < b > c <3", "a < b > c <3"},
		{"empty", " \n\n ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, plain(tt.in)); diff != "" {
				t.Errorf("plain(%q) differs (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

// Emphasis is bounded within a paragraph, not over a text, and names stay whole.
func TestTameLeavesText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("some *word* in a_name_of_parts\n\n", 1_500)
	if got := tame(long); got != long {
		t.Error("a long text was shortened")
	}
	names := strings.Repeat("call a_name_of_parts\n", 2_000)
	if got := tame(names); got != names {
		t.Error("names were changed")
	}
	if got := strings.Count(tame(strings.Repeat("*a_ ", 5_000)), "*"); got != maxMarks/2 {
		t.Errorf("%d signs stay, want %d", got, maxMarks/2)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("# a\n\n- [ ] b `c` <!-- d --> [e](f) &lt; \\* ![g](h)\n\n|a|\n|-|\n|b|")
	f.Add("\xff*\xff_a\xe2")
	f.Fuzz(func(t *testing.T, s string) {
		if got := plain(s); !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxBody {
			t.Errorf("plain(%q) = %q", s, got)
		}
	})
}
