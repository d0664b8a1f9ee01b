package endpoints

import (
	"strings"
	"testing"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                            "/",
		"/":                           "/",
		"orders":                      "/orders",
		"/orders/":                    "/orders",
		"//orders//open":              "/orders/open",
		"/orders/:id":                 "/orders/{id}",
		`/orders/:id(\d+)/lines`:      "/orders/{id}/lines",
		"/orders/:id?":                "/orders/{id}",
		"/a/:from-:to":                "/a/{from}-{to}",
		"/orders/{id:[0-9]{2,3}}":     "/orders/{id}",
		"/orders/{id:int}/lines":      "/orders/{id}/lines",
		"/files/{*rest}":              "/files/{rest}",
		"/files/{rest...}":            "/files/{rest}",
		"/files/*rest":                "/files/{rest}",
		"/files/*":                    "/files/*",
		"/orders/<id>":                "/orders/{id}",
		"/orders/<int:id>/":           "/orders/{id}",
		`^orders/(?P<id>\d+)/lines/$`: "/orders/{id}/lines",
		"/orders/${req.params.id}":    "/orders/{id}",
		"/orders/#{id}":               "/orders/{id}",
		"/orders?open=1":              "/orders",
		"/orders/{$}":                 "/orders/{param}",
		"/orders/{":                   "/orders/{param}",
		"/orders/<":                   "/orders/{param}",
	} {
		if got := normalise(in); got != want {
			t.Errorf("normalise(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"", "", ""}, {"", "/a", "/a"}, {"/a", "", "/a"}, {"/a/", "/b", "/a/b"}, {"a", "b", "a/b"}, {"/", "b", "/b"},
	} {
		if got := join(c[0], c[1]); got != c[2] {
			t.Errorf("join(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestBlankKeepsOffsets(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"js", "a('/x//y') // b('c')\n/* d\ne */f(`g\n//h`)", "a('/x//y')          \n    \n    f(`g\n//h`)", "a('     ')          \n    \n    f(` \n   `)"},
		{"java", `x("a\"//b"); /* c */ '"'`, `x("a\"//b");         '"'`, `x("      ");         ' '`},
		{"csharp", `x(@"a\", "//b") // c`, `x(@"a\", "//b")     `, `x(@"  ", "   ")     `},
		{"python", "'''a\n# b''' # c\nd('#')", "'''a\n# b'''    \nd('#')", "''' \n   '''    \nd(' ')"},
		{"ruby", "a \"b # c\" # d\nfoo#bar", "a \"b # c\"    \nfoo#bar", "a \"     \"    \nfoo#bar"},
	} {
		if got := string(blank(c[0], []byte(c[1]))); got != c[2] {
			t.Errorf("blank(%s, %q)\n got %q\nwant %q", c[0], c[1], got, c[2])
		}
		if got := string(bare(c[0], []byte(c[1]))); got != c[3] {
			t.Errorf("bare(%s, %q)\n got %q\nwant %q", c[0], c[1], got, c[3])
		}
	}
}

func TestLinesAt(t *testing.T) {
	t.Parallel()
	l := newLines([]byte("a\nb\n\nc"))
	for offset, want := range []int{1, 1, 2, 2, 3, 4, 4} {
		if got := l.at(offset); got != want {
			t.Errorf("at(%d) = %d, want %d", offset, got, want)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"/a/:b(", "{", "<<>", "(?P<", "${", "/*", "\\", ":x??"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := normalise(in)
		if !strings.HasPrefix(got, "/") || len(got) > 3*len(in)+8*strings.Count(in, "{")+8*strings.Count(in, "<")+8 {
			t.Errorf("normalise(%q) = %q", in, got)
		}
	})
}

func FuzzBlank(f *testing.F) {
	for _, lang := range []string{"js", "java", "csharp", "python", "ruby", "graphql", "proto"} {
		f.Add(lang, []byte("a 'b\\' /* \"\"\" @\"\"\" # ` =begin\n"))
	}
	f.Fuzz(func(t *testing.T, lang string, in []byte) {
		if len(blank(lang, in)) != len(in) || len(bare(lang, in)) != len(in) {
			t.Error("the length changed")
		}
	})
}
