package bot_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pointsman/pointsman/bot"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a b\tc\nd", "a b\tc\nd"},
		{"line ends", "a\r\nb\rc", "a\nb\nc"},
		{"nul and control", "a\x00b\x07c\x1b[31m", "abc[31m"},
		{"bidi", "a\u202eb\u2066c\u200fd", "abcd"},
		{"other invisible", "a\ufeffb\u00adc\U000e0041d", "abcd"},
		{"joiners stay", "\u0645\u200c\u0646", "\u0645\u200c\u0646"},
		{"invalid", "a\xffb", "a\ufffdb"},
		{"bounded", strings.Repeat("é", 90), strings.Repeat("é", 50)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := bot.Clean(tt.in, 50); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCleanLine(t *testing.T) {
	t.Parallel()
	if got, want := bot.CleanLine(" a\r\n\t b\u2028c ", 50), "a b c"; got != want {
		t.Errorf("CleanLine = %q, want %q", got, want)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x00\xff\u202e\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := bot.Clean(s, 100)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 100 || strings.ContainsAny(got, "\x00\r\u202e\u2066") {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		if again := bot.Clean(got, 100); again != got {
			t.Errorf("not idempotent: %q then %q", got, again)
		}
	})
}
