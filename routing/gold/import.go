package gold

import (
	"fmt"
	"io"
	"strings"
)

// Text is a ticket as its tracker has it, without an answer.
type Text struct {
	Key, Title, Body string
	Created          string // RFC 3339, or ""
	Listed           string // the tracker that was asked for it: "github", "jira:tenant"; "" for an export
}

func textColumns() []column {
	return []column{
		{"key", []string{"key", "id", "issue key", "ticket", "number"}},
		{"title", []string{"title", "summary", "subject"}},
		{"body", []string{"body", "description", "text"}},
		{"created", []string{"created", "created_at", "createdat", "created at", "date"}},
	}
}

func caseColumns() []column {
	return []column{
		{"id", []string{"id", "key", "issue key", "ticket", "number"}},
		{"title", []string{"title", "summary", "subject"}},
		{"body", []string{"body", "description", "text"}},
		{"repos", []string{"repos", "repositories", "repo", "repository"}},
		{"created", []string{"created", "created_at", "createdat", "created at", "date"}},
		{"state", []string{"present.state", "state"}},
		{"now", []string{"present.repos", "now"}},
	}
}

// Fields are what Import can read from a table.
func Fields() []string { return fields(caseColumns()) }

func fields(columns []column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.field)
	}
	return names
}

// TextFields are what ReadTexts can read from an export.
func TextFields() []string { return fields(textColumns()) }

// ReadTexts reads an export of a tracker: CSV with a header, or JSON objects, one
// a line. columns is as with Import. Errors name line and column.
func ReadTexts(name string, in io.Reader, columns map[string]string) ([]Text, error) {
	t := table{name: name, columns: columns}
	usual := textColumns()
	var texts []Text
	seen := map[string]int{}
	err := t.read(in, func(r record) error {
		key, column := t.find(r, usual[0])
		if key = strings.TrimSpace(key); key == "" {
			return t.errorf(r, column, "want the ticket's key")
		}
		if first, ok := seen[key]; ok {
			return t.errorf(r, column, "%s stands already in line %d", key, first)
		}
		seen[key] = r.line
		text := Text{Key: key}
		text.Title, _ = t.find(r, usual[1])
		text.Body, _ = t.find(r, usual[2])
		stamp, column := t.find(r, usual[3])
		var err error
		if text.Created, err = moment(stamp); err != nil {
			return t.errorf(r, column, "%v", err)
		}
		texts = append(texts, text)
		return nil
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("%s holds no ticket", name)
	}
	return texts, err
}

// Import reads cases from a table: CSV with a header, or JSON objects, one a
// line. columns names the column of a field where it has another name than usual;
// Ignore as the name leaves the field out. Several repositories are parted by ";"
// or "|". Errors name line and column.
func Import(name string, in io.Reader, columns map[string]string) ([]Case, error) {
	t := table{name: name, columns: columns}
	var cases []Case
	seen := map[string]int{}
	err := t.read(in, func(r record) error {
		c, err := t.toCase(r)
		if err != nil {
			return err
		}
		if first, ok := seen[c.ID]; ok {
			return t.errorf(r, "id", "%s stands already in line %d", c.ID, first)
		}
		seen[c.ID] = r.line
		cases = append(cases, c)
		return nil
	})
	if err == nil && len(cases) == 0 {
		err = fmt.Errorf("%s holds no case", name)
	}
	return cases, err
}

// toCase reads one line.
func (t table) toCase(r record) (Case, error) {
	value, where := map[string]string{}, map[string]string{}
	for _, c := range caseColumns() {
		value[c.field], where[c.field] = t.find(r, c)
	}
	c := Case{ID: strings.TrimSpace(value["id"]), Title: strings.TrimSpace(value["title"]), Body: value["body"]}
	c.Repos = names(value["repos"])
	var err error
	switch {
	case c.ID == "":
		return c, t.errorf(r, where["id"], "want an id")
	case c.Title == "" && strings.TrimSpace(c.Body) == "":
		return c, t.errorf(r, where["title"], "want the ticket's text")
	case len(c.Repos) == 0:
		return c, t.errorf(r, where["repos"], "want the names of the repositories, parted by ; or |")
	}
	if c.Created, err = moment(value["created"]); err != nil {
		return c, t.errorf(r, where["created"], "%v", err)
	}
	state, now := strings.ToLower(strings.TrimSpace(value["state"])), names(value["now"])
	if state == "" && len(now) > 0 {
		return c, t.errorf(r, where["state"], "want open, shipped or moved beside the repositories of today")
	}
	if state != "" {
		p := NewPresent(state, now, c.Repos)
		switch err := p.check(); {
		case err != nil && (state == StateShipped || state == StateMoved):
			_, why, _ := strings.Cut(err.Error(), ": ")
			return c, t.errorf(r, where["now"], "%s", why)
		case err != nil:
			return c, t.errorf(r, where["state"], "want open, shipped or moved, got %q; --column state=%s leaves the column out", state, Ignore)
		}
		c.Present = &p
	}
	c.Provenance = &Provenance{Source: SourceImport, File: t.name, Text: TextTracker}
	return c, nil
}

// names splits "a; b|c" and drops what stands twice.
func names(s string) []string {
	var list []string
	seen := map[string]bool{}
	for _, n := range strings.FieldsFunc(s, func(r rune) bool { return r == ';' || r == '|' }) {
		if n = strings.TrimSpace(n); n != "" && !seen[n] {
			seen[n] = true
			list = append(list, n)
		}
	}
	return list
}
