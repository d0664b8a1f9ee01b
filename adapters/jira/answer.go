package jira

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const (
	// maxAnswer bounds the body of any answer, bytes.
	maxAnswer = 16 << 20
	// maxEntries bounds the entries of one page, whatever was asked for.
	maxEntries = 1_000
)

var errTooLarge = fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)

// capped cuts answers off before they fill the memory.
type capped struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (c capped) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	if err == nil {
		resp.Body = &cappedBody{ReadCloser: resp.Body, left: maxAnswer}
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
		return b.left, errTooLarge
	}
	b.left -= n
	return n, err
}

// page is a list in an answer. Sixteen megabytes of "{}" would become gigabytes of
// entries.
type page[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (p *page[T]) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	open, err := dec.Token()
	if err == nil && open == nil { // null
		return nil
	}
	if err != nil || open != json.Delim('[') {
		return errors.New("the answer is not a list")
	}
	for dec.More() {
		if len(*p) == maxEntries {
			return fmt.Errorf("the page has more than %d entries", maxEntries)
		}
		var v T
		if err := dec.Decode(&v); err != nil {
			return err
		}
		*p = append(*p, v)
	}
	return nil
}
