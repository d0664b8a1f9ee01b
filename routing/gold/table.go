package gold

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// record is one line of a table: CSV with a header, or JSON objects.
type record struct {
	line   int               // from 1
	values map[string]string // by column in lower case; lists are joined by ";"
}

// column is one thing that a table may say of a ticket, and what its column is
// usually called.
type column struct {
	field string
	names []string
}

// table reads records and finds columns in them.
type table struct {
	name    string            // of the file, for errors
	columns map[string]string // field to the column that the user named
}

// find returns the value of a field and the column it stands in.
func (t table) find(r record, c column) (value, name string) {
	if named, ok := t.columns[c.field]; ok {
		return r.values[strings.ToLower(named)], named
	}
	for _, name := range c.names {
		if v, ok := r.values[name]; ok {
			return v, name
		}
	}
	return "", c.names[0]
}

func (t table) errorf(r record, column, format string, args ...any) error {
	return fmt.Errorf("%s:%d: column %q: %s", t.name, r.line, column, fmt.Sprintf(format, args...))
}

// read calls visit for every record. A file whose first sign is "{" holds JSON
// objects, one a line; any other is CSV with a header, its separator being a
// comma, semicolon or tab.
func (t table) read(in io.Reader, visit func(record) error) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("reading %s: %w", t.name, err)
	}
	if at, why := notUTF8(data); why != "" {
		return fmt.Errorf("%s:%d: %s", t.name, 1+bytes.Count(data[:at], []byte("\n")), why)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return t.readJSON(bytes.NewReader(data), visit)
	}
	return t.readCSV(bytes.NewReader(data), data, visit)
}

// notUTF8 finds the first byte that is no UTF-8, and says so; "" when there is none.
// Read on, it would stand in the text as a sign that nobody wrote.
func notUTF8(data []byte) (at int, why string) {
	const mend = "save the file as UTF-8"
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return 0, "it is UTF-16; " + mend
	}
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			near := strings.ToValidUTF8(string(data[max(0, at-20):at]), "")
			near = near[strings.LastIndexByte(near, '\n')+1:]
			return at, fmt.Sprintf("byte 0x%02x after %q is no UTF-8; %s (iconv -f WINDOWS-1252 -t UTF-8 where it comes from Windows)", data[at], near, mend)
		}
		at += n
	}
	return at, ""
}

func (t table) readCSV(r io.Reader, head []byte, visit func(record) error) error {
	in := csv.NewReader(r)
	in.Comma = separator(head)
	in.LazyQuotes, in.ReuseRecord = false, true
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s is empty; want a header line such as id,title,body,repos", t.name)
	}
	if err != nil {
		return t.csvError(err)
	}
	names := make([]string, len(header))
	seen := map[string]bool{}
	for i, h := range header {
		names[i] = strings.ToLower(strings.TrimSpace(h))
		if seen[names[i]] && names[i] != "" && t.wanted(names[i]) {
			return fmt.Errorf("%s:1: column %q stands twice", t.name, h)
		}
		seen[names[i]] = true
	}
	for field, named := range t.columns {
		if named != Ignore && !seen[strings.ToLower(named)] {
			return fmt.Errorf("%s:1: there is no column %q for %s; there are %s", t.name, named, field, strings.Join(names, ", "))
		}
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return t.csvError(err)
		}
		line, _ := in.FieldPos(0)
		values := make(map[string]string, len(row))
		for i, v := range row {
			if names[i] != "" {
				values[names[i]] = v
			}
		}
		if err := visit(record{line, values}); err != nil {
			return err
		}
	}
}

// Ignore as the name of a column says that the table has none for a field.
const Ignore = "-"

// wanted tells columns that are read from those that may be anything.
func (t table) wanted(name string) bool {
	for _, c := range append(textColumns(), caseColumns()...) {
		if named, ok := t.columns[c.field]; ok && strings.EqualFold(named, name) {
			return true
		}
		for _, n := range c.names {
			if n == name {
				return true
			}
		}
	}
	return false
}

func (t table) csvError(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return fmt.Errorf("reading %s: %w", t.name, err)
	}
	if errors.Is(p.Err, csv.ErrFieldCount) {
		return fmt.Errorf("%s:%d: it has more or fewer fields than the header line", t.name, p.Line)
	}
	return fmt.Errorf("%s:%d: character %d: %w", t.name, p.Line, p.Column, p.Err)
}

// separator guesses from the header line.
func separator(head []byte) rune {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	best, most := ',', bytes.Count(line, []byte(","))
	for _, r := range ";\t" {
		if n := bytes.Count(line, []byte(string(r))); n > most {
			best, most = r, n
		}
	}
	return best
}

func (t table) readJSON(r io.Reader, visit func(record) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var object map[string]any
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.UseNumber()
		if err := dec.Decode(&object); err != nil || dec.More() || object == nil {
			if err == nil {
				err = errors.New("there is more on it, or null")
			}
			return fmt.Errorf("%s:%d: want one JSON object a line: %w", t.name, n, err)
		}
		rec := record{n, map[string]string{}}
		if err := t.flatten(rec, "", object); err != nil {
			return err
		}
		if err := visit(rec); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", t.name, n, err)
	}
	return nil
}

// flatten turns an object into columns: {"a":{"b":1}} has the column "a.b".
func (t table) flatten(rec record, prefix string, object map[string]any) error {
	for key, v := range object {
		name := prefix + strings.ToLower(key)
		switch v := v.(type) {
		case nil:
		case map[string]any:
			if strings.Count(name, ".") < 3 {
				if err := t.flatten(rec, name+".", v); err != nil {
					return err
				}
			}
		case []any:
			parts := make([]string, 0, len(v))
			for _, e := range v {
				s, ok := e.(string)
				if !ok && t.wanted(name) {
					return t.errorf(rec, name, "want a list of strings")
				}
				parts = append(parts, s)
			}
			rec.values[name] = strings.Join(parts, ";")
		default:
			rec.values[name] = fmt.Sprint(v)
		}
	}
	return nil
}
