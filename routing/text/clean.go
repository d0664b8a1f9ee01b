package text

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/pointsman/pointsman/routing"
)

// Bounds of a ticket's text, in runes. What lies beyond them is a log or a dump;
// the head of a ticket says what it is about.
const (
	MaxTitle = 1_000
	MaxBody  = 50_000
)

// Cleaner takes out of a ticket what must never be evidence.
type Cleaner struct {
	key, issueURL, hostRef *regexp.Regexp
	standards              map[string]bool
}

// NewCleaner returns a Cleaner.
func NewCleaner() *Cleaner {
	c := &Cleaner{
		// PROJ-123, as trackers write their keys.
		key: regexp.MustCompile(`\b[A-Z][A-Z0-9_]{1,19}-[0-9]{1,7}\b`),
		// .../browse/PROJ-1 and .../issues/12, .../pull/12 with what follows.
		issueURL: regexp.MustCompile(`https?://[^\s<>()\[\]|"']+/(?:browse/[A-Za-z][A-Za-z0-9_]+-[0-9]+|(?:issues|pull|pulls|merge_requests)/[0-9]+)[^\s<>()\[\]|"']*`),
		// owner/name#12, #12 and gh-12.
		hostRef:   regexp.MustCompile(`(?:\b[A-Za-z0-9][\w.-]*/[\w.-]+)?#[0-9]+\b|\b(?i:gh)-[0-9]+\b`),
		standards: map[string]bool{},
	}
	// Names of standards that only look like tracker keys.
	for _, s := range strings.Fields(`AES ASCII BLAKE CP CVE CWE DES EBCDIC ECMA EN ES HMAC HTTP IEC IEEE
		IPV ISO JDK JRE JSR KOI LATIN MD MPEG PEP PKCS RFC RSA SHA SSL TLS UCS UTF WINDOWS X`) {
		c.standards[s] = true
	}
	return c
}

// Ticket returns t with title and body cleaned: NFKC, no control or direction
// characters, no tracker keys or links to tickets, bounded. Nothing else changes.
func (c *Cleaner) Ticket(t routing.Ticket) routing.Ticket {
	own := t.Ref.Key
	if !keyLike(own) {
		own = ""
	}
	t.Title = strings.Join(strings.Fields(c.clean(t.Title, own, MaxTitle)), " ")
	t.Body = c.clean(t.Body, own, MaxBody)
	return t
}

func (c *Cleaner) clean(s, own string, limit int) string {
	s = Printable(norm.NFKC.String(bound(s, limit)))
	if own != "" {
		s = strings.ReplaceAll(s, own, " ")
	}
	s = c.issueURL.ReplaceAllString(s, " ")
	s = c.hostRef.ReplaceAllString(s, " ")
	return c.key.ReplaceAllStringFunc(s, func(key string) string {
		if c.standards[key[:strings.IndexByte(key, '-')]] {
			return key
		}
		return " "
	})
}

// Keys counts the tickets that a text cites by key or number, up to limit.
func (c *Cleaner) Keys(b []byte, limit int) int {
	n := len(c.hostRef.FindAll(b, limit))
	for _, key := range c.key.FindAll(b, -1) {
		if n >= limit {
			break
		}
		if !c.standards[string(key[:bytes.IndexByte(key, '-')])] {
			n++
		}
	}
	return n
}

// keyLike tells a key that names one ticket from a short or plain word, which
// the text may use for its own sake.
func keyLike(key string) bool {
	return len(key) >= 4 && strings.ContainsAny(key, "0123456789") && strings.IndexFunc(key, unicode.IsLetter) >= 0
}

// Printable drops what has no business in text: invalid UTF-8, NUL and other
// control characters (line breaks and tabs stay), and direction overrides.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\r', r == '\v', r == '\f':
			return '\n'
		case r == unicode.ReplacementChar, unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// bound cuts s after limit runes.
func bound(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i]
		}
		n++
	}
	return s
}
