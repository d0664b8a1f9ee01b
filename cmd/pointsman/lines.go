package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxLine is the longest line of a JSON lines file, in bytes.
const maxLine = 25 << 20

// eachLine calls visit for every line that is not blank, numbered from 1.
func eachLine(r io.Reader, name string, visit func(n int, line []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		if err := visit(n, line); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}
