package draft

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/text"
)

// A registry is read by more people than the code it describes, so what looks
// like a secret in the code never gets into a draft.

const (
	longSecret = 32 // letters and digits from which a word may be a key
	maxRun     = 3  // a key's letters change kind within this many signs, a word's do not
)

// withoutSecrets is an input whose texts and names hold nothing shaped like a
// secret, and no control characters. Names that do are left out whole; of prose
// only the word goes.
func withoutSecrets(in Input) Input {
	f, h, d := &in.Facts, &in.Host, &in.Declared
	f.Readme = []byte(safeProse(string(f.Readme)))
	h.Description, d.Description, d.Title = safeProse(h.Description), safeProse(d.Description), safeProse(d.Title)
	for _, list := range []*[]string{
		&f.Languages, &f.Frameworks, &f.Packages, &f.Paths, &h.Topics, &h.Components,
		&d.Owners, &d.DependsOn, &d.ProvidesTo, &d.Components, &d.Names, &d.FiledIn, &d.Tags,
	} {
		*list = slices.DeleteFunc(slices.Clone(*list), isUnfit)
	}
	for _, list := range []*[]facts.Name{&f.Emits, &f.Consumes, &f.EnvVars, &f.Codes, &f.Requires, &f.Issues} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(n facts.Name) bool { return isUnfit(n.Value) })
	}
	f.Endpoints = slices.DeleteFunc(slices.Clone(f.Endpoints), func(e facts.Endpoint) bool {
		return isUnfit(e.Path) || hookOfSlack(e.Path)
	})
	if isUnfit(d.Team) {
		d.Team = ""
	}
	return in
}

// safeProse is a text without control characters, private keys, credentials in
// addresses, and words that look like keys.
func safeProse(prose string) string {
	prose = withoutUserinfo(withoutKeys(text.Printable(strings.ReplaceAll(prose, "\r\n", "\n"))))
	var out strings.Builder
	for prose != "" {
		n := strings.IndexFunc(prose, func(r rune) bool { return !isKeySign(r) })
		if n < 0 {
			n = len(prose)
		}
		if run := prose[:n]; !shapedLikeSecret(run) {
			out.WriteString(run)
		}
		prose = prose[n:]
		if n = strings.IndexFunc(prose, isKeySign); n < 0 {
			n = len(prose)
		}
		out.WriteString(prose[:n])
		prose = prose[n:]
	}
	return out.String()
}

// withoutKeys cuts blocks in the form of PEM out, to the end when one is not closed.
func withoutKeys(prose string) string {
	for {
		start := strings.Index(prose, "-----BEGIN ")
		if start < 0 {
			return prose
		}
		end := strings.Index(prose[start:], "-----END ")
		if end < 0 {
			return prose[:start]
		}
		rest := prose[start+end+len("-----END "):]
		if _, after, ok := strings.Cut(rest, "-----"); ok {
			prose = prose[:start] + after
		} else {
			return prose[:start]
		}
	}
}

// withoutUserinfo cuts "me:word@" out of addresses.
func withoutUserinfo(prose string) string {
	var out bytes.Buffer
	for {
		before, rest, ok := strings.Cut(prose, "://")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		out.WriteString("://")
		end := strings.IndexAny(rest, "/?# \t\r\n\"'`<>()")
		if end < 0 {
			end = len(rest)
		}
		prose = rest[strings.LastIndexByte(rest[:end], '@')+1:]
	}
}

// isUnfit says whether a name is no name to write down: it, or a part of it, is
// shaped like a secret, or it holds what a terminal would obey or not show.
func isUnfit(name string) bool {
	return text.Printable(name) != name || strings.ContainsAny(name, "\n\t") || strings.Contains(name, "-----BEGIN ") || withoutUserinfo(name) != name ||
		slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return !isKeySign(r) }), shapedLikeSecret)
}

// shapedLikeSecret judges a run of signs that keys are made of, and its parts.
func shapedLikeSecret(run string) bool {
	if looksRandom(run) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(run, func(r rune) bool { return strings.ContainsRune("/=+", r) }), func(part string) bool {
		return hasMark(part) || looksRandom(part) || slices.ContainsFunc(strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune("._-", r) }), isHex)
	})
}

// hasMark knows the openings that issuers give their keys.
func hasMark(part string) bool {
	for mark := range strings.FieldsSeq("eyJ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- sk_live_ rk_live_ sk_test_ rk_test_ xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- AIza") {
		if rest, ok := strings.CutPrefix(part, mark); ok && len(rest) >= 10 {
			return true
		}
	}
	if rest, ok := strings.CutPrefix(part, "sk-"); ok {
		return len(rest) >= 20 && strings.ContainsAny(rest, "0123456789")
	}
	if len(part) != 20 || strings.ToUpper(part) != part || strings.ContainsAny(part, "._-") {
		return false
	}
	return (strings.HasPrefix(part, "AKIA") || strings.HasPrefix(part, "ASIA")) && strings.ContainsAny(part, "0123456789")
}

// isHex knows a long number in hexadecimal. The parts of a UUID are shorter.
func isHex(part string) bool {
	return len(part) >= longSecret && strings.Trim(part, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(part, "0123456789") &&
		strings.ContainsAny(part, "abcdefABCDEF")
}

// looksRandom tells base64 from long names in camel case: capitals, small letters
// and digits take turns too often. A small letter after a capital is no turn, since
// words begin so.
func looksRandom(run string) bool {
	run = strings.Trim(run, "/=")
	if len(run) < longSecret {
		return false
	}
	var counts [4]int
	turns, last := 0, 3
	for i := range len(run) {
		kind := 3
		switch b := run[i]; {
		case b >= 'a' && b <= 'z':
			kind = 0
		case b >= 'A' && b <= 'Z':
			kind = 1
		case b >= '0' && b <= '9':
			kind = 2
		}
		counts[kind]++
		if kind == 3 {
			continue
		}
		if kind != last && (last != 1 || kind != 0) {
			turns++
		}
		last = kind
	}
	return counts[0] > 2 && counts[1] > 2 && counts[2] > 1 && counts[3]*6 <= len(run) && turns*maxRun >= len(run)
}

// hookOfSlack knows /services/T.../B.../..., whose last part is short.
func hookOfSlack(path string) bool {
	parts := strings.Split(path, "/")
	for i := 0; i+2 < len(parts); i++ {
		if slackID('T', parts[i]) && slackID('B', parts[i+1]) && len(parts[i+2]) >= 16 {
			return true
		}
	}
	return false
}

func slackID(kind byte, part string) bool {
	return len(part) >= 9 && part[0] == kind && strings.ToUpper(part) == part && strings.ContainsAny(part, "0123456789")
}

func isKeySign(r rune) bool {
	return r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.+/=", r))
}
