package demo

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadable(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ page, want string }{
		"paragraphs are wrapped and comments dropped": {
			"<!-- marker --><p>one two three four five six</p><p>seven &lt;b&gt;</p>",
			"one two three four\nfive six\n\nseven <b>",
		},
		"ordered list keeps its start and hangs": {
			`<ol start="3"><li><p><strong>alpha</strong> beta gamma delta</p><ul><li>inner</li></ul></li><li>next</li></ol>`,
			"3. alpha beta gamma\n   delta\n   - inner\n4. next",
		},
		"folds are closed": {
			"<p>a</p><details><summary>More</summary><p>hidden</p></details><p>b</p>",
			"a\n\n[+] More\n\nb",
		},
		"tables are aligned": {
			"<table><tr><th>a</th><th>b</th></tr><tr><td>long</td><td>x y</td></tr></table>",
			"a     b\nlong  x y",
		},
		"code, quotes, breaks and rules": {
			"<p>a<br>b <code>c</code></p><blockquote><p>said</p></blockquote><pre>x\n  y</pre><hr>",
			"a\nb c\n\n> said\n    x\n      y\n--------------------",
		},
		"scripts say nothing": {"<p>a</p><script>alert(1)</script>", "a"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readable(c.page, 20)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
