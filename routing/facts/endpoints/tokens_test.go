package endpoints

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// webApp is an application of a few files and the endpoints it has, one a line.
type webApp struct {
	name  string
	files map[string]string
	want  string
}

func (c webApp) check(t *testing.T) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		r := NewReader()
		for _, file := range sortedKeys(c.files) {
			if r.Want(file) {
				r.Read(file, []byte(c.files[file]))
			}
		}
		var got []string
		for _, f := range r.Found() {
			got = append(got, f.Method+" "+f.Path)
		}
		want := strings.Split(strings.Trim(c.want, "\n"), "\n")
		byPath := func(a, b string) int {
			am, ap, _ := strings.Cut(a, " ")
			bm, bp, _ := strings.Cut(b, " ")
			return cmp.Or(cmp.Compare(ap, bp), cmp.Compare(am, bm))
		}
		slices.SortFunc(want, byPath)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"java", `a("b\"c", 'd') // e` + "\n/* f */ g", `a ( "b"c" , "d" ) g`},
		{"kotlin", `x = "$A/b" """c"d"""`, `x = ~"$A/b" "c"d"`},
		{"csharp", `$"{A}/b" @"c""d\" """e"f"""` + "\n#if X\ng", `~"{A}/b" "c""d\" "e"f" g`},
		{"python", "a = (r'\\d',\n  f'{b}') # c\n\"\"\"d\n\"\"\"", "a = ( \"\\d\" , ~\"{b}\" ) ; \"d\n\""},
		{"ruby", "get :a, 'b', x: %i[c d], /e\\/f/ => 1 / 2\nx = <<~T\n  y 'z\nT\nend", "get :a , \"b\" , x : %c d% , # => 1 / 2 ; x = # ; end"},
	} {
		var got []string
		for _, k := range tokenise(c[0], "f", []byte(c[1])).toks {
			switch k.kind {
			case kText:
				got = append(got, `"`+k.text+`"`)
			case kSpliced:
				got = append(got, `~"`+k.text+`"`)
			case kSymbol:
				got = append(got, ":"+k.text)
			case kWords:
				got = append(got, "%"+k.text+"%")
			case kLine:
				got = append(got, ";")
			case kOpaque:
				got = append(got, "#")
			default:
				got = append(got, k.text)
			}
		}
		if s := strings.Join(got, " "); s != c[2] {
			t.Errorf("%s\n got %s\nwant %s", c[0], s, c[2])
		}
	}
}

// TestDeepAndLong holds the readers to a time that grows with the text, not faster.
func TestDeepAndLong(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{
		"(", "[", "{", "f(", "a.", "@A(", "@A(\"/b\") ", "class A {", "[A] ", "x = [", "do ", "do |x|\n", "resources :a do\n", "path('a', include([", "'", "\"", "#{", "x.MapGroup(", "A<", "if x\n",
		"a.b().", "app.MapGet(\"/\", x).", "i.route(", "@x.route(\"/a\")\n", "+ \"a\" ", "nest(path(\"/a\"), ", "\\", "(?", "%w[", "<<~A\n",
	} {
		text := strings.Repeat(unit, 20_000/len(unit))
		for _, file := range []string{"A.java", "A.kt", "A.cs", "a.py", "config/routes.rb", "application.yml"} {
			for _, r := range []reader{newJava(), newCSharp(), newPython(), newRuby()} {
				if !r.wants(file) {
					continue
				}
				start := time.Now()
				r.read(file, []byte("RouterFunction flask Grape::API fastapi "+text))
				r.read("x/"+file, []byte("class X { RouterFunction }\nclass A < Grape::API\n"+text))
				r.found()
				if took := time.Since(start); took > 10*time.Second {
					t.Errorf("%s of %q took %v", file, unit, took)
				}
			}
		}
	}
}

func TestConstantsEnd(t *testing.T) {
	t.Parallel()
	c := newConstants()
	for i := range 40 { // each name stands for two of the next
		next := fmt.Sprintf("n%d", i+1)
		for _, owner := range []string{"A", "B"} {
			c.add(owner, fmt.Sprintf("n%d", i), expr{{text: "X." + next, ref: true}, {text: "X." + next, ref: true}})
		}
	}
	c.add("A", "loop", expr{{text: "A.loop", ref: true}})
	for _, name := range []string{"n0", "loop", "none"} {
		if s, ok := c.resolve(expr{{text: name, ref: true}}, "A"); ok {
			t.Errorf("%s = %q", name, s)
		}
	}
}
