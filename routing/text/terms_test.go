package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func split(s string) []string {
	var p Splitter
	var got []string
	p.Split([]byte(s), func(t []byte) { got = append(got, string(t)) })
	return got
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in   string
		want []string
	}{
		"prose":               {"Refunds are late.", []string{"refunds", "are", "late"}},
		"camel":               {"parseHeader", []string{"parse", "header", "parseheader"}},
		"acronym":             {"HTTPServer", []string{"http", "server", "httpserver"}},
		"acronym at the end":  {"parseURL", []string{"parse", "url", "parseurl"}},
		"snake":               {"retry_count", []string{"retry", "count", "retrycount"}},
		"snake of one part":   {"_private", []string{"private"}},
		"kebab ends":          {"retry-count", []string{"retry", "count"}},
		"digits":              {"utf8Decoder", []string{"utf", "decoder", "utf8decoder"}},
		"path":                {"src/pay/Refund.java", []string{"src", "pay", "refund", "java"}},
		"too short":           {"a b c", nil},
		"too long":            {strings.Repeat("x", 41), nil},
		"accents":             {"Größe ändern", []string{"größe", "ändern"}},
		"Cyrillic camel":      {"МойКласс", []string{"мой", "класс", "мойкласс"}},
		"Japanese":            {"予約詳細", []string{"予約", "約詳", "詳細"}},
		"one CJK character":   {"日 x", []string{"日"}},
		"CJK beside Latin":    {"検索API", []string{"検索", "api"}},
		"Hangul":              {"예약 오류", []string{"예약", "오류"}},
		"invalid UTF-8":       {"ok\xff\xfeyes", []string{"ok", "yes"}},
		"nothing":             {"", nil},
		"underscores only":    {"___", nil},
		"trailing underscore": {"name_", []string{"name"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tc.want, split(tc.in)); d != "" {
				t.Errorf("Split(%q) (-want +got):\n%s", tc.in, d)
			}
		})
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	s := NewStemmer()
	for in, want := range map[string]string{"refunds": "refund", "parsing": "pars", "parser": "parser", "utf8": "utf8", "größen": "größen"} {
		for range 2 { // the second answer comes from memory
			if got := s.Stem([]byte(in)); got != want {
				t.Errorf("Stem(%q) = %q, want %q", in, got, want)
			}
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"HTTPServer", "a_b_c", "日本語Text", "\xff\x00", "utf8Decoder_v2", "\u202ecba"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, term := range split(s) {
			if n := len(term); n < minTerm || n > maxTerm {
				t.Errorf("Split(%q) gives %q of %d bytes", s, term, n)
			}
			if !utf8.ValidString(term) {
				t.Errorf("Split(%q) gives invalid UTF-8 %q", s, term)
			}
			if strings.IndexFunc(term, func(r rune) bool { return unicode.IsSpace(r) || r == '_' || r >= 'A' && r <= 'Z' }) >= 0 {
				t.Errorf("Split(%q) gives %q", s, term)
			}
		}
	})
}
