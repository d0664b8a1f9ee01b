package rank

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of an organisation's tables.
const (
	MaxTables     = 256 << 10 // bytes of the file
	maxTableRows  = 2000      // rows of one table, stop words
	maxRowWords   = 20        // expansions of one row
	maxKeyWords   = 5         // words of one key or expansion
	maxTableWord  = 60        // bytes of one key or expansion
	maxRowPoints  = 10.0      // points of one row
	maxTablesName = 100       // bytes of the version
)

// tablesReader reads one file of tables into out, over what out holds.
type tablesReader struct {
	file string
	data []byte
	out  *Tables
	dec  *json.Decoder
}

func (r *tablesReader) read() error {
	if len(r.data) > MaxTables {
		return fmt.Errorf("%s: want at most %d KiB, got %d bytes; keep the rows that route tickets", r.file, MaxTables>>10, len(r.data))
	}
	if i := invalidUTF8(r.data); i >= 0 {
		return fmt.Errorf("%s:%d: the file is not UTF-8; save it as UTF-8", r.file, r.line(i))
	}
	r.dec = json.NewDecoder(bytes.NewReader(r.data))
	version := false
	err := r.object("the file", func(key string) error {
		switch key {
		case "version":
			version = true
			return r.version()
		case "stopWords":
			return r.stopWords()
		case "acronyms":
			return r.rows(key, &r.out.acronyms)
		case "synonyms":
			return r.rows(key, &r.out.synonyms)
		case "points":
			return r.points()
		}
		return r.errorf("%s is no key; want version, stopWords, acronyms, synonyms or points", shown(key))
	})
	if err != nil {
		return err
	}
	if !version {
		return fmt.Errorf(`%s:1: version is missing; name these tables, as in "version": "1"`, r.file)
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return r.errorf("something follows the closing bracket; remove it")
	}
	return nil
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// line is the line, from 1, that an offset stands in.
func (r *tablesReader) line(offset int) int {
	return 1 + bytes.Count(r.data[:min(max(0, offset), len(r.data))], []byte("\n"))
}

// errorf words an error about the token read last. What comes from the file is
// quoted and cut by shown before it gets here.
func (r *tablesReader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, r.line(int(r.dec.InputOffset())), fmt.Sprintf(format, args...))
}

// shown is a key or a word of the file as it may stand in an error.
func shown(text string) string {
	if len(text) > maxTableWord {
		return fmt.Sprintf("%.*q...", maxTableWord/2, text)
	}
	return strconv.Quote(text)
}

func (r *tablesReader) token() (json.Token, error) {
	t, err := r.dec.Token()
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return t, nil
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%s:%d: not JSON: %w", r.file, r.line(int(syntax.Offset)), err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s:%d: the file ends too early; close its brackets", r.file, r.line(len(r.data)))
	}
	return nil, r.errorf("not JSON: %.100s", err)
}

// object reads an object whose keys differ; member reads each value.
func (r *tablesReader) object(what string, member func(key string) error) error {
	t, err := r.token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return r.errorf(`%s: want an object, as in {"key": ...}`, what)
	}
	return r.members(what, member)
}

func (r *tablesReader) members(what string, member func(key string) error) error {
	seen := map[string]bool{}
	for r.dec.More() {
		t, err := r.token()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return r.errorf("%s: want a key in quotes", what)
		}
		if seen[key] {
			return r.errorf("%s: %s stands twice; keep one", what, shown(key))
		}
		if seen[key] = true; len(seen) > maxTableRows {
			return r.errorf("%s: want at most %d rows", what, maxTableRows)
		}
		if err := member(key); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// list reads the rest of a list of words or phrases, each in lower case.
func (r *tablesReader) list(what string, most, words int) ([]string, error) {
	out := []string{}
	for r.dec.More() {
		t, err := r.token()
		if err != nil {
			return nil, err
		}
		text, ok := t.(string)
		if !ok {
			return nil, r.errorf("%s: want words in quotes", what)
		}
		phrase, err := r.phrase(what, text, words)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, phrase) {
			out = append(out, phrase)
		}
		if len(out) > most {
			return nil, r.errorf("%s: want at most %d words", what, most)
		}
	}
	_, err := r.token()
	return out, err
}

// phrase checks a key or an expansion and returns it as the scorer reads it.
func (r *tablesReader) phrase(what, text string, most int) (string, error) {
	words := wordsOf(text)
	switch {
	case len(text) > maxTableWord:
		return "", r.errorf("%s: %s: want at most %d bytes", what, shown(text), maxTableWord)
	case len(words) == 0:
		return "", r.errorf("%s: %q has no letter or digit", what, text)
	case len(words) > most && most == 1:
		return "", r.errorf("%s: %q: want one word", what, text)
	case len(words) > most:
		return "", r.errorf("%s: %q: want at most %d words", what, text, most)
	}
	return strings.Join(words, " "), nil
}

func (r *tablesReader) version() error {
	t, err := r.token()
	if err != nil {
		return err
	}
	v, ok := t.(string)
	odd := func(c rune) bool { return !unicode.IsPrint(c) }
	if !ok || strings.TrimSpace(v) == "" || len(v) > maxTablesName || strings.ContainsFunc(v, odd) {
		return r.errorf(`version: want a short name in quotes, as in "1"`)
	}
	r.out.Version = v
	return nil
}

// stopWords reads a list, which replaces all, or {"add": [...], "remove": [...]}.
func (r *tablesReader) stopWords() error {
	t, err := r.token()
	if err != nil {
		return err
	}
	switch t {
	case json.Delim('['):
		words, err := r.list("stopWords", maxTableRows, 1)
		r.out.stop = map[string]bool{}
		for _, w := range words {
			r.out.stop[w] = true
		}
		return err
	case json.Delim('{'):
	default:
		return r.errorf(`stopWords: want a list of words, or {"add": [...], "remove": [...]}`)
	}
	return r.members("stopWords", func(key string) error {
		if key != "add" && key != "remove" {
			return r.errorf("stopWords: %s is no key; want add or remove", shown(key))
		}
		if t, err := r.token(); err != nil {
			return err
		} else if t != json.Delim('[') {
			return r.errorf("stopWords.%s: want a list of words", key)
		}
		words, err := r.list("stopWords."+key, maxTableRows, 1)
		for _, w := range words {
			if key == "add" {
				r.out.stop[w] = true
			} else {
				delete(r.out.stop, w)
			}
		}
		return err
	})
}

// rows reads a table of expansions over the rows that stand.
func (r *tablesReader) rows(table string, rows *[]expansion) error {
	seen := map[string]bool{}
	return r.object(table, func(key string) error {
		phrase, err := r.phrase(table, key, maxKeyWords)
		if err != nil {
			return err
		}
		if seen[phrase] {
			return r.errorf("%s: %q stands twice; keep one", table, phrase)
		}
		seen[phrase] = true
		what := table + "." + phrase
		t, err := r.token()
		if err != nil {
			return err
		}
		if t == nil {
			*rows = setRow(*rows, phrase, nil)
			return nil
		}
		if t != json.Delim('[') {
			return r.errorf("%s: want a list of words, or null to remove the row", what)
		}
		to, err := r.list(what, maxRowWords, maxKeyWords)
		if err == nil && len(to) == 0 {
			err = r.errorf("%s: the list is empty; null removes a row", what)
		}
		*rows = setRow(*rows, phrase, to)
		return err
	})
}

// points reads points by rule; those of the document and ours are all that there are.
func (r *tablesReader) points() error {
	if r.out.points == nil {
		r.out.points = map[string]float64{}
	}
	return r.object("points", func(key string) error {
		if !slices.Contains(rules(), key) {
			return r.errorf("points: %s is no row; want one of %s", shown(key), strings.Join(rules(), ", "))
		}
		t, err := r.token()
		if err != nil {
			return err
		}
		v, ok := t.(float64)
		if !ok || v < 0 || v > maxRowPoints {
			return r.errorf("points.%s: want a number from 0, which turns the row off, to %g", key, maxRowPoints)
		}
		r.out.points[key] = v
		return nil
	})
}
