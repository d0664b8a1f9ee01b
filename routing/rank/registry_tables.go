package rank

import (
	"crypto/sha256"
	_ "embed" // the tables of the routing document are data
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
)

//go:embed tables.json
var defaultTables []byte

// TablesName is the file beside a registry that holds an organisation's own rows.
const TablesName = "tables.json"

// Tables are the words and points of the routing document: data with a version,
// so that a decision can name the ones it was made with, and an organisation can
// add its own. They are never changed once read.
type Tables struct {
	Version string // that of the organisation's file, or of the built-in tables
	// Hash is "sha256:.." of the organisation's file, "" for the built-in tables
	// alone: those are known by the program's version.
	Hash string
	// Warnings name rows that can never fire, one sentence each.
	Warnings []string

	stop     map[string]bool
	acronyms []expansion
	synonyms []expansion
	points   map[string]float64 // by rule
}

// DefaultTables returns the built-in tables.
func DefaultTables() *Tables {
	t := &Tables{}
	// A test holds that the embedded file is sound.
	_ = (&tablesReader{file: TablesName, data: defaultTables, out: t}).read()
	return t
}

// ParseTables reads an organisation's tables over the built-in ones. The file is a
// JSON object; file names it in errors, which give the line and say how to mend:
//
//	{"version": "acme 1",
//	 "stopWords": {"add": ["please"], "remove": ["can"]},
//	 "acronyms":  {"pos": ["till", "point of sale"], "ci": null},
//	 "synonyms":  {"gift card": ["voucher"]},
//	 "points":    {"team": 3}}
//
// A row is added, or replaces the one of the same key; null removes it. A list
// under stopWords replaces all of them. Points are from 0 (the row is off) to 10.
func ParseTables(file string, data []byte) (*Tables, error) {
	t := DefaultTables()
	if err := (&tablesReader{file: file, data: data, out: t}).read(); err != nil {
		return nil, fmt.Errorf("reading the routing tables: %w", err)
	}
	sum := sha256.Sum256(data)
	t.Hash = "sha256:" + hex.EncodeToString(sum[:])
	t.Warnings = t.silentRows()
	return t, nil
}

// Points returns the points of every row, by rule.
func (t *Tables) Points() map[string]float64 { return maps.Clone(t.points) }

// expansion is one row of a table.
type expansion struct {
	key string   // words that stand in a row in the ticket
	to  []string // what they are also tried as, words or phrases
}

// setRow adds a row, replaces the one of the same key, or removes it.
func setRow(rows []expansion, key string, to []string) []expansion {
	for i, row := range rows {
		if row.key != key {
			continue
		}
		if to == nil {
			return append(rows[:i:i], rows[i+1:]...)
		}
		rows[i].to = to
		return rows
	}
	if to == nil {
		return rows
	}
	return append(rows, expansion{key, to})
}

// silentRows names the rows that no ticket can reach, because their key is made of
// stop words. The document's own row for "be" is one and is not news.
func (t *Tables) silentRows() []string {
	var out []string
	for _, row := range append(append([]expansion(nil), t.acronyms...), t.synonyms...) {
		for _, word := range strings.Fields(row.key) {
			if t.stop[word] && row.key != "be" {
				out = append(out, fmt.Sprintf("the routing tables' row %q never fires: %q is a stop word; remove one of the two", row.key, word))
				break
			}
		}
	}
	return out
}

// expanded is a word that the ticket does not say, and the one it says instead.
type expanded struct{ word, from string }

// expand lists what the ticket's words are also tried as: one pass, so that an
// expansion is never expanded again, each word once, none that the ticket says.
func (t *Tables) expand(w *wordList) []expanded {
	var out []expanded
	seen := map[string]bool{}
	for _, rows := range [][]expansion{t.acronyms, t.synonyms} {
		for _, row := range rows {
			if w.inRow(row.key, nil) < 0 {
				continue
			}
			for _, word := range row.to {
				if seen[word] || w.inRow(word, nil) >= 0 {
					continue
				}
				seen[word] = true
				out = append(out, expanded{word, row.key})
			}
		}
	}
	return out
}
