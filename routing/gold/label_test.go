package gold

import (
	"bytes"
	"strings"
	"testing"
)

func TestLabel(t *testing.T) {
	t.Parallel()
	first := "\ufeff{ \"id\":\"1\", \"title\" : \"x\", \"repos\":[\"a\"],\"named\":true }  \r\n"
	second := `{"id":"2","title":"y \"present\":","repos":["a","b"],"present": {"state":"open","repos":["a"]} ,"z":1}`
	in := first + "\n" + second
	for _, c := range []struct {
		id, state string
		repos     []string
		want      string
	}{
		{"1", StateShipped, nil, strings.Replace(first, `true }`, `true ,"present":{"state":"shipped","repos":[]}}`, 1) + "\n" + second},
		{"1", StateOpen, nil, strings.Replace(first, `true }`, `true ,"present":{"state":"open","repos":["a"]}}`, 1) + "\n" + second},
		{"2", StateMoved, []string{"c"}, first + "\n" + strings.Replace(second, `{"state":"open","repos":["a"]}`, `{"state":"moved","repos":["c"]}`, 1)},
		{"2", StateOpen, []string{"a"}, in},
	} {
		got, err := Label("g", []byte(in), c.id, c.state, c.repos)
		if err != nil {
			t.Errorf("%s %s: %v", c.id, c.state, err)
			continue
		}
		// A blank before the closing brace moves in front of the new key.
		if squeeze(string(got)) != squeeze(c.want) {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.id, c.state, got, c.want)
		}
		cases, err := Read("g", bytes.NewReader(got))
		if err != nil || len(cases) != 2 {
			t.Errorf("%s %s: labelled file: %v", c.id, c.state, err)
		}
	}
	if _, err := Label("g", []byte(in), "1", StateShipped, []string{"a"}); err == nil || !strings.Contains(err.Error(), "want none of a shipped ticket") {
		t.Errorf("a shipped ticket with repositories: %v", err)
	}
	for want, args := range map[string][2]string{
		"want the repositories a moved ticket":     {"1", StateMoved},
		`holds no case "9"`:                        {"9", StateOpen},
		`want open, shipped or moved, got "gone"`:  {"1", "gone"},
		`want open, shipped or moved, got "Moved"`: {"2", "Moved"},
	} {
		if _, err := Label("g", []byte(in), args[0], args[1], nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

func FuzzLabel(f *testing.F) {
	f.Add(`{"id":"1","title":"x","repos":["a"]}`)
	f.Add("{\"id\":\"1\",\"title\":\"x\",\"repos\":[\"a\"],\"present\":null}\n\n{\"id\":\"2\",\"title\":\"x\",\"repos\":[\"a\"]}")
	f.Fuzz(func(t *testing.T, s string) {
		before, err := Read("g", strings.NewReader(s))
		if err != nil {
			return
		}
		id := before[0].ID
		labelled, err := Label("g", []byte(s), id, StateMoved, []string{"elsewhere"})
		if err != nil {
			t.Fatal(err)
		}
		after, err := Read("g", bytes.NewReader(labelled))
		if err != nil || len(after) != len(before) {
			t.Fatalf("%d cases, then %d, %v:\n%s", len(before), len(after), err, labelled)
		}
		if p := after[0].Present; p == nil || p.State != StateMoved {
			t.Errorf("label of %q did not stick:\n%s", id, labelled)
		}
	})
}
