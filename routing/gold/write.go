package gold

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Write writes a gold file: one case a line, in the order given.
func Write(w io.Writer, cases []Case) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out) // ends every value with a line break
	enc.SetEscapeHTML(false)
	for _, c := range cases {
		if err := enc.Encode(c); err != nil {
			return fmt.Errorf("writing case %s: %w", c.ID, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing cases: %w", err)
	}
	return nil
}
