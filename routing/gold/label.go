package gold

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// NewPresent is the truth of today about a case: of an open ticket without repos
// its history's stand. A shipped one should have none, a moved one some.
func NewPresent(state string, repos, history []string) Present {
	p := Present{State: state, Repos: repos}
	if state == StateOpen && len(repos) == 0 {
		p.Repos = slices.Clone(history)
	}
	if p.Repos == nil {
		p.Repos = []string{}
	}
	return p
}

// Label returns a gold file's content with the truth of today about one case set.
// All other bytes stay as they are. An error says what is wrong with the file or
// that it has no such case.
func Label(name string, content []byte, id, state string, repos []string) ([]byte, error) {
	cases, err := Read(name, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(cases, func(c Case) bool { return c.ID == id })
	if at < 0 {
		return nil, fmt.Errorf("%s holds no case %q; pointsman gold list --json lists them", name, id)
	}
	p := NewPresent(state, repos, cases[at].Repos)
	if err := p.check(); err != nil {
		return nil, err
	}
	for start, n := 0, 0; start < len(content); {
		end := len(content)
		if i := bytes.IndexByte(content[start:], '\n'); i >= 0 {
			end = start + i
		}
		if len(bytes.TrimSpace(bytes.TrimPrefix(content[start:end], []byte("\ufeff")))) > 0 {
			if n == at {
				line, err := setPresent(content[start:end], p)
				if err != nil {
					return nil, fmt.Errorf("labelling %s: %w", id, err)
				}
				return slices.Concat(content[:start], line, content[end:]), nil
			}
			n++
		}
		start = end + 1
	}
	return nil, fmt.Errorf("labelling %s: its line in %s is gone", id, name)
}

// setPresent replaces or adds the key "present" of the object on a line. As
// decoding has it, the last of several counts, in upper or lower case.
func setPresent(line []byte, p Present) ([]byte, error) {
	value, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	skip := bytes.IndexByte(line, '{')
	dec := json.NewDecoder(bytes.NewReader(line[skip:]))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	empty, from, to := true, 0, 0
	for dec.More() {
		empty = false
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var old json.RawMessage
		if err := dec.Decode(&old); err != nil {
			return nil, err
		}
		if name, ok := key.(string); ok && strings.EqualFold(name, "present") {
			to = skip + int(dec.InputOffset())
			from = to - len(old)
		}
	}
	if to > 0 {
		return slices.Concat(line[:from], value, line[to:]), nil
	}
	end := skip + int(dec.InputOffset())
	entry := append([]byte(`"present":`), value...)
	if !empty {
		entry = append([]byte(","), entry...)
	}
	return slices.Concat(line[:end], entry, line[end:]), nil
}
