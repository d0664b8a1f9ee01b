package registry_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing/registry"
)

// around sets a text where Parse reads JSON, but does not ask what it says.
func around(text string) string {
	return `{"version": 1, "repos": [{"name": "a"}], "x": [` + text + `]}`
}

// refused says that Parse takes a text for no JSON.
func refused(text string) bool {
	_, err := registry.Parse("f", []byte(around(text)))
	return err != nil
}

func TestParseRefusesWhatJSONRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range slips() {
		if got, want := refused(text), !json.Valid([]byte(around(text))); got != want {
			t.Errorf("%q: refused = %t, encoding/json says %t", text, got, want)
		}
	}
}

// slips are texts at the borders of JSON, on either side.
func slips() []string {
	return strings.Split("|0|-0|01|-|+1|1.|.5|1.5|1e|1e+|1E-7|1e5.|0x1|NaN|1 2|1,|,1|1,,2|tru|true|truex|nul|null|nullnull|falſe|"+
		`"|"a|"\|"\"|"\x"|"\u12"|"\u12g4"|"\ud800"|"\ud83d\ude00"|"a"b|'a'|"`+"\t"+`"|"`+"\x7f"+`"|"`+"\x00"+`"|`+"\x00|1\x00|\u00a0|\v|\r\n1\r\n|"+
		`[|]|[]|[[]|[1,]|[,]|[1 2]|{|}|{}|{"a"}|{"a":}|{"a":1,}|{,}|{"a":1 "b":2}|{"a" 1}|{a:1}|{1:1}|{"a":1}}|{"a":{"b":[{}]}}|//|/**/1|1]|`+"1], \"y\": [2", "|")
}

// FuzzJSON holds the one pass to encoding/json.
func FuzzJSON(f *testing.F) {
	for _, text := range slips() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, `"repos"`) || strings.Contains(text, `"version"`) || strings.ContainsRune(text, '\\') && strings.Contains(text, ":") {
			return // refused for other reasons
		}
		if depth(text) > 50 {
			return
		}
		if got, want := refused(text), !json.Valid([]byte(around(text))); got != want {
			t.Errorf("%q: refused = %t, encoding/json says %t", text, got, want)
		}
	})
}

// depth is at least how deep values stand in one another.
func depth(text string) int { return strings.Count(text, "[") + strings.Count(text, "{") }
