package text

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	key, small, link, place, hostRef *regexp.Regexp
	standards                        map[string]bool
}

// hyphens are the ways to write the one of a key; NFKC leaves most of them alone.
const hyphens = `[-\x{2010}-\x{2015}\x{2212}]`

// NewCleaner returns a Cleaner.
func NewCleaner() *Cleaner {
	c := &Cleaner{
		// PROJ-123, as trackers write their keys, also inside feature/PROJ-123_fix.
		key: regexp.MustCompile(`[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*` + hyphens + `{1,2}[0-9]{1,7}`),
		// zork-4711, as branches and chats write them; three digits tell it from java-17.
		small: regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9]{1,9}` + hyphens + `{1,2}[0-9]{3,7}\b`),
		// A link, whole.
		link: regexp.MustCompile(`https?://[^\s<>()\[\]|"']+`),
		// The part of a link that makes it one to a ticket.
		place: regexp.MustCompile(`/(?:browse|issues?|pulls?|merge_requests|discussions|work_items|boards|views)/|[?&](?:selectedIssue|issueKey)=`),
		// owner/name#12, owner/name!12, owner/name/pull/12, #12 and gh-12.
		hostRef:   regexp.MustCompile(`\b[A-Za-z0-9][\w.-]*/[\w.-]+(?:[#!]|/(?:issues|pull|pulls|merge_requests|discussions)/)[0-9]+\b|#[0-9]+\b|\b(?i:gh)-[0-9]+\b`),
		standards: map[string]bool{},
	}
	// Names of standards that only look like tracker keys.
	for _, s := range strings.Fields(`AES ASCII BLAKE CP CVE CWE DES EBCDIC ECMA EN ES HMAC HTTP IEC IEEE
		IPV ISO JDK JRE JSR ERROR CODE STATUS PORT KOI LATIN MD MPEG PEP PKCS RFC RSA SHA SSL TLS UCS UTF WINDOWS X`) {
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
	s = c.link.ReplaceAllStringFunc(s, func(link string) string {
		if c.place.MatchString(link) || len(c.keysOf(link)) > 0 {
			return " "
		}
		return link
	})
	s = c.hostRef.ReplaceAllString(s, " ")
	return c.stripKeys(s)
}

// stripKeys takes out every key, and where a project shows itself by one in
// capitals also its keys in small letters.
func (c *Cleaner) stripKeys(s string) string {
	s = c.small.ReplaceAllStringFunc(s, func(key string) string {
		if c.standards[strings.ToUpper(projectOf(key))] {
			return key
		}
		return " "
	})
	keys := c.keysOf(s)
	if len(keys) == 0 {
		return s
	}
	projects := map[string]bool{}
	var out strings.Builder
	from := 0
	for _, k := range keys {
		projects[projectOf(s[k[0]:k[1]])] = true
		out.WriteString(s[from:k[0]])
		out.WriteByte(' ')
		from = k[1]
	}
	out.WriteString(s[from:])
	s = out.String()
	names := make([]string, 0, len(projects))
	for p := range projects {
		names = append(names, regexp.QuoteMeta(p))
	}
	slices.Sort(names)
	small := regexp.MustCompile(`(?i)\b(?:` + strings.Join(names, "|") + `)` + hyphens + `[0-9]{1,7}\b`)
	return small.ReplaceAllString(s, " ")
}

// keysOf returns where keys stand in s: whole, and not names of standards.
func (c *Cleaner) keysOf(s string) [][]int {
	return slices.DeleteFunc(c.key.FindAllStringIndex(s, -1), func(k []int) bool {
		before, _ := utf8.DecodeLastRuneInString(s[:k[0]])
		after, _ := utf8.DecodeRuneInString(s[k[1]:])
		inWord := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
		return inWord(before) || inWord(after) || c.standards[projectOf(s[k[0]:k[1]])]
	})
}

// projectOf is what stands before the last hyphen of a key.
func projectOf(key string) string {
	return strings.TrimRightFunc(strings.TrimRight(key, "0123456789"), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Keys counts the tickets that a text cites by key or number, up to limit.
func (c *Cleaner) Keys(b []byte, limit int) int {
	return min(limit, len(c.hostRef.FindAll(b, limit))+len(c.keysOf(string(b))))
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
		case r == '\u00ad', r == '\u200b', r == '\u2060', r == '\ufeff': // invisible, and only ever in the way
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
