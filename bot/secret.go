package bot

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a string that never shows itself: every way of printing, logging or
// encoding it gives "***". Reveal is the only way out.
type Secret string

const redacted = "***"

// Reveal returns the secret for the one call that must send or compare it.
func (s Secret) Reveal() string { return string(s) }

// String implements fmt.Stringer.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString implements fmt.GoStringer, so that %#v is safe too.
func (s Secret) GoString() string { return s.String() }

// Format implements fmt.Formatter, so that a wrong verb shows nothing either.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue implements slog.LogValuer.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText keeps the secret out of JSON, YAML and XML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a secret from configuration.
func (s *Secret) UnmarshalText(b []byte) error {
	*s = Secret(b)
	return nil
}
