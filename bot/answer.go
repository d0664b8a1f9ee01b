package bot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// The bounds of what a host may answer.
const (
	// MaxAnswer bounds the body of any answer of a host, bytes.
	MaxAnswer = 16 << 20
	// MaxEntries bounds the entries of one page, whatever was asked for.
	MaxEntries = 1_000
)

// ErrAnswerTooLarge is what reading a body beyond MaxAnswer gives.
var ErrAnswerTooLarge = fmt.Errorf("the answer is larger than %d MiB", MaxAnswer>>20)

// CapAnswers cuts answers off before they fill the memory.
func CapAnswers(next http.RoundTripper) http.RoundTripper { return capped{next} }

type capped struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (c capped) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	if err == nil {
		resp.Body = &cappedBody{ReadCloser: resp.Body, left: MaxAnswer}
	}
	return resp, err
}

// cappedBody fails where io.LimitReader would pretend that the body ends.
type cappedBody struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if n > b.left {
		return b.left, ErrAnswerTooLarge
	}
	b.left -= n
	return n, err
}

// Page is a list in an answer, of at most MaxEntries. Sixteen megabytes of "{}" would become gigabytes of
// entries.
type Page[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (p *Page[T]) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	open, err := dec.Token()
	if err == nil && open == nil { // null
		return nil
	}
	if err != nil || open != json.Delim('[') {
		return errors.New("the answer is not a list")
	}
	for dec.More() {
		if len(*p) == MaxEntries {
			return fmt.Errorf("the page has more than %d entries", MaxEntries)
		}
		var v T
		if err := dec.Decode(&v); err != nil {
			return err
		}
		*p = append(*p, v)
	}
	return nil
}
