package facts

import (
	"bytes"
	"strings"
)

const (
	// maxConstants bounds how many names of one repository are remembered.
	maxConstants = 50_000
	// maxConstant is the longest text worth remembering, in bytes.
	maxConstant = 120
)

// eachConstant calls emit for names that are bound to text in one line: x = "a",
// x: 'a', x("a") of an enumeration, const x T = "a". The owner is the enumeration,
// class or object they stand in, "" for none.
func eachConstant(lang string, text []byte, emit func(owner, name, value string)) {
	o := owners{indented: lang == "python" || lang == "ruby"}
	for i := 0; i < len(text); i++ {
		q := text[i]
		if q != '"' && q != '\'' && q != '`' {
			o.pass(text, i)
			continue
		}
		end := quoteEnd(text, i)
		if end < len(text) && end-i-1 <= maxConstant && end-i > 1 && text[end] == q {
			if name := boundTo(text, i); name != "" {
				value := string(text[i+1 : end])
				if next := skipSpace(text, end+1); next < len(text) && text[next] == '+' {
					value = "" // only the beginning of it
				}
				emit(o.name(), name, value)
			}
		}
		i = end
	}
}

// boundTo returns the name that the text which opens at quote is bound to, or "".
func boundTo(text []byte, quote int) string {
	i := backSpace(text, quote)
	if i == 0 {
		return ""
	}
	switch text[i-1] {
	case '=':
		i--
		if i > 0 && bytes.IndexByte([]byte("=!<>+-*/%|&?"), text[i-1]) >= 0 {
			return ""
		}
		if i > 0 && text[i-1] == ':' { // Go's :=
			i--
		}
	case ':', '(':
		i--
	default:
		return ""
	}
	opener := text[i]
	i = backSpace(text, i)
	start := wordStart(text, i)
	if start == i {
		return ""
	}
	name := text[start:i]
	if opener == '(' {
		if !isUpper(name) {
			return "" // a call, not a member of an enumeration
		}
		return string(name)
	}
	before := backSpace(text, start)
	switch {
	case before > 0 && text[before-1] == ':': // name: type = "a"
		end := backSpace(text, before-1)
		if from := wordStart(text, end); from < end {
			name = text[from:end]
		}
	case before < start && bytes.IndexByte(text[before:start], '\n') < 0: // Go's const name type = "a"
		from := wordStart(text, before)
		line := bytes.LastIndexByte(text[:from], '\n') + 1
		head := bytes.TrimSpace(text[line:from])
		if word := text[from:before]; isUpper(word[:min(1, len(word))]) && (len(head) == 0 || string(head) == "const" || string(head) == "var") {
			name = word
		}
	}
	if len(name) < 2 || len(name) > 80 {
		return ""
	}
	return string(name)
}

func isUpper(name []byte) bool {
	for _, b := range name {
		if (b < 'A' || b > 'Z') && b != '_' && (b < '0' || b > '9') {
			return false
		}
	}
	return len(name) > 0
}

// constant looks a name, "A" or "Owner.A", up among those of its own file.
func (f *source) constant(ref string) (string, bool) {
	if f.constants == nil {
		f.constants = map[string]string{}
		eachConstant(f.lang, f.text(), func(owner, name, value string) {
			bind(f.constants, owner, name, value)
		})
	}
	value := found(f.constants, ref)
	return value, value != ""
}

// bind notes a text under its name, and under its owner's. What is bound twice is
// no one text.
func bind(constants map[string]string, owner, name, value string) {
	keys := []string{name, owner + "." + name}
	if owner == "" {
		keys = keys[:1]
	}
	for _, key := range keys {
		old, ok := constants[key]
		switch {
		case ok && old != value:
			constants[key] = ""
		case !ok && len(constants) < maxConstants:
			constants[key] = value
		}
	}
}

// found is the text of a reference: that of the owner it names, or of the only
// name of its kind.
func found(constants map[string]string, ref string) string {
	last := lastPart(ref)
	if before := strings.TrimRight(strings.TrimSuffix(ref, last), ".:"); before != "" {
		if text, ok := constants[lastPart(before)+"."+last]; ok {
			return text
		}
	}
	return constants[last]
}

// isShared tells a name that other files may use from a variable of a function.
func isShared(name string) bool {
	if len(name) < 3 {
		return false
	}
	for i := range len(name) {
		if name[i] >= 'A' && name[i] <= 'Z' || name[i] == '_' {
			return true
		}
	}
	return false
}

// remember keeps a file's constants for the other files.
func (s *Scan) remember(f *source) {
	eachConstant(f.lang, f.raw, func(owner, name, value string) {
		if isShared(name) || owner != "" && isShared(owner) {
			bind(s.constants, owner, name, value)
		}
	})
	if f.lang == "csharp" {
		s.rememberTypes(f)
	}
}

// resolve looks up, now that all files are read, what one of them left open.
func (s *Scan) resolve() {
	// What is bound to a setting is looked up once more, below.
	for _, p := range s.pending {
		if text := found(s.constants, p.ref); text != "" {
			s.keep(p.kind, p.how, text, p.at)
		}
	}
	for _, p := range s.typed {
		if s.types[p.ref] {
			s.keep(p.kind, p.how, p.ref, p.at)
		}
	}
	s.pending, s.typed = nil, nil
	s.last = true
	for _, p := range s.late {
		s.keep(p.kind, p.how, p.ref, p.at)
	}
	s.late, s.last = nil, false
}
