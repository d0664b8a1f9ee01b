package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Bounds of a file of verdicts.
const (
	MaxVerdicts    = 1 << 20 // bytes
	maxSpecialists = 1000
)

// ReadVerdicts reads the specialists' verdicts:
//
//	{"routing": DECISION, "verdicts": [{"repo": "pay", "verdict": "RESPONSIBLE",
//	  "confidence": 90, "routingConfidence": 78, "missing": ["shop"], "note": ""}]}
//
// routing is optional, a decision as route --json prints it: a verdict without a
// routingConfidence takes that of the decision. Unknown keys, verdicts and numbers
// out of range are errors that name file and line.
func ReadVerdicts(file string, data []byte) ([]Verdict, error) {
	r := &verdictReader{file: file, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	if len(data) > MaxVerdicts {
		return nil, fmt.Errorf("%s: want at most %d KiB of verdicts", file, MaxVerdicts>>10)
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.finish()
}

type verdictReader struct {
	file  string
	data  []byte
	dec   *json.Decoder
	ratio *float64 // of the decision
	names []string // of its candidates
	found []rawVerdict
	some  bool // there was a list
}

// rawVerdict tells a number that is 0 from one that is not there.
type rawVerdict struct {
	Repo              string   `json:"repo"`
	Verdict           string   `json:"verdict"`
	Confidence        *float64 `json:"confidence"`
	RoutingConfidence *float64 `json:"routingConfidence"`
	Missing           []string `json:"missing"`
	Note              string   `json:"note"`
	at                int      // offset
}

func (r *verdictReader) read() error {
	if err := r.open('{', `want an object, as in {"verdicts": [...]}`); err != nil {
		return err
	}
	seen := map[json.Token]bool{}
	for r.dec.More() {
		at := r.next()
		token, err := r.dec.Token()
		if err != nil {
			return r.broken(err, 0)
		}
		if seen[token] {
			return r.at(at, "%q is given twice; which one is meant cannot be told, leave one out", Line(fmt.Sprint(token), maxWord))
		}
		seen[token] = true
		switch token {
		case "routing":
			err = r.routing()
		case "verdicts":
			err = r.verdicts()
		default:
			return r.at(at, "%q is no key; want routing or verdicts", Line(fmt.Sprint(token), maxWord))
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return r.broken(err, 0)
	}
	if at := r.next(); at < len(r.data) {
		return r.at(at, "something follows the closing bracket; remove it")
	}
	return nil
}

// routing reads the decision that selected the specialists.
func (r *verdictReader) routing() error {
	at := r.next()
	var text json.RawMessage
	if err := r.dec.Decode(&text); err != nil {
		return r.broken(err, 0)
	}
	var d routing.Decision
	if err := json.Unmarshal(text, &d); err != nil {
		return r.broken(err, at)
	}
	if d.Schema != routing.DecisionSchema {
		return r.at(at, "routing: want a decision of schema %s, as pointsman route --json prints it", routing.DecisionSchema)
	}
	if !d.Confidence.Calibrated {
		ratio := float64(d.Confidence.Ratio)
		r.ratio = &ratio
	}
	for _, c := range d.Candidates {
		r.names = append(r.names, c.Repo)
	}
	return nil
}

func (r *verdictReader) verdicts() error {
	r.some = true
	if err := r.open('[', "verdicts: want a list"); err != nil {
		return err
	}
	for r.dec.More() {
		at := r.next()
		var text json.RawMessage
		if err := r.dec.Decode(&text); err != nil {
			return r.broken(err, 0)
		}
		v := rawVerdict{at: at}
		strict := json.NewDecoder(bytes.NewReader(text))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&v); err != nil {
			return fmt.Errorf("%w (verdicts[%d])", r.broken(err, at), len(r.found))
		}
		if key := givenTwice(text); key != "" {
			return r.at(at, "verdicts[%d]: %q is given twice; which one is meant cannot be told, leave one out", len(r.found), Line(key, maxWord))
		}
		if r.found = append(r.found, v); len(r.found) > maxSpecialists {
			return r.at(at, "verdicts: want at most %d", maxSpecialists)
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return r.broken(err, 0)
	}
	return nil
}

// givenTwice returns a key that a sound JSON object holds more than once, or "".
// encoding/json takes the last, and "Confidence" for "confidence".
func givenTwice(object []byte) string {
	dec := json.NewDecoder(bytes.NewReader(object))
	seen := map[string]bool{}
	_, _ = dec.Token()
	for dec.More() {
		token, err := dec.Token()
		key, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return ""
		}
		if seen[strings.ToLower(key)] {
			return key
		}
		seen[strings.ToLower(key)] = true
	}
	return ""
}

// finish checks the verdicts and gives those without one their routingConfidence.
func (r *verdictReader) finish() ([]Verdict, error) {
	if !r.some {
		return nil, fmt.Errorf(`%s:1: verdicts is missing: a list of what the specialists said`, r.file)
	}
	seen := map[string]bool{}
	out := []Verdict{}
	for i, raw := range r.found {
		v := Verdict{Repo: raw.Repo, Verdict: raw.Verdict, Missing: raw.Missing, Note: raw.Note}
		if raw.Confidence == nil {
			return nil, r.at(raw.at, "verdicts[%d]: confidence is missing: a number from 0 to 100", i)
		}
		v.Confidence = *raw.Confidence
		switch {
		case raw.RoutingConfidence != nil:
			v.RoutingConfidence = *raw.RoutingConfidence
		case r.ratio != nil:
			v.RoutingConfidence = *r.ratio
			v.Unselected = len(r.names) > 0 && !slices.Contains(r.names, v.Repo)
		default:
			return nil, r.at(raw.at, "verdicts[%d]: routingConfidence is missing: a number from 0 to 100, or give the decision with a score ratio as routing", i)
		}
		if err := v.Check(); err != nil {
			return nil, r.at(raw.at, "verdicts[%d]: %w", i, err)
		}
		if seen[v.Repo] {
			return nil, r.at(raw.at, "verdicts[%d]: %s has spoken twice; keep its last word", i, Line(v.Repo, maxName))
		}
		seen[v.Repo] = true
		out = append(out, v)
	}
	return out, nil
}

// open reads an opening bracket.
func (r *verdictReader) open(bracket json.Delim, want string) error {
	at := r.next()
	token, err := r.dec.Token()
	if err != nil {
		return r.broken(err, 0)
	}
	if token != bracket {
		return r.at(at, "%s", want)
	}
	return nil
}

// next is the offset at which the next value begins.
func (r *verdictReader) next() int {
	at := int(r.dec.InputOffset())
	for at < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[at]) >= 0 {
		at++
	}
	return at
}

// at words an error about an offset.
func (r *verdictReader) at(offset int, format string, args ...any) error {
	n := 1 + bytes.Count(r.data[:min(offset, len(r.data))], []byte("\n"))
	return fmt.Errorf("%s:%d: %w", r.file, n, fmt.Errorf(format, args...))
}

// broken words what the JSON reader did not like in the text from start on.
func (r *verdictReader) broken(err error, start int) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return r.at(start+int(syntax.Offset), "not JSON: %w", err)
	case errors.As(err, &kind):
		return r.at(start+int(kind.Offset), "%s: want %s, got %s", kind.Field, kindWords(kind), kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.at(len(r.data), "the file ends too early; close its brackets")
	}
	return r.at(start, "%w", err)
}

func kindWords(e *json.UnmarshalTypeError) string {
	switch e.Type.String() {
	case "float64":
		return "a number"
	case "string":
		return "text in quotes"
	case "[]string":
		return "a list of names"
	}
	return "an object"
}
