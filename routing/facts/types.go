package facts

import "bytes"

// maxTypeName bounds the text that a type's name is looked for in.
const maxTypeName = 150

// rememberTypes keeps the names of the types that a file of C# declares.
func (s *Scan) rememberTypes(f *source) {
	for _, word := range []string{"class ", "record ", "struct "} {
		for at := 0; ; {
			i := bytes.Index(f.raw[at:], []byte(word))
			if i < 0 {
				break
			}
			at += i + len(word)
			if name := f.raw[at:wordEnd(f.raw, at)]; len(name) > 2 && len(s.types) < maxConstants {
				s.types[string(name)] = true
			}
		}
	}
}

// readMessages finds messages by what their types are called and derived from: a
// made XIntegrationEvent in C#, the topic of a class of messages in Python.
func (s *Scan) readMessages(f *source) {
	switch f.lang {
	case "csharp":
		s.readIntegrationEvents(f)
	case "python":
		s.readMessageClasses(f)
	}
}

func (s *Scan) readIntegrationEvents(f *source) {
	const suffix = "IntegrationEvent("
	text := f.text()
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(suffix))
		if i < 0 {
			return
		}
		at += i + len(suffix)
		start := wordStart(text, at-1)
		if name := string(text[start : at-1]); len(name) >= len(suffix) && bytes.HasSuffix(text[:start], []byte("new ")) && len(s.typed) < maxPending {
			s.typed = append(s.typed, pending{kindEmits, "events", name, f.place(start)})
		}
	}
}

// readMessageClasses reads class X(SomeMessage): topic = "a.b".
func (s *Scan) readMessageClasses(f *source) {
	if !f.mentions("message") || !f.mentions("topic") {
		return
	}
	within, offset := false, 0
	for line := range bytes.Lines(f.text()) {
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) > 0 && !isSpace(line[0]) {
			_, bases, _ := bytes.Cut(trimmed, []byte("("))
			within = bytes.HasPrefix(trimmed, []byte("class ")) && bytes.Contains(bases, []byte("Message"))
		}
		if rest, ok := bytes.CutPrefix(trimmed, []byte("topic = ")); ok && within && len(line)-len(bytes.TrimLeft(line, " \t")) <= 4 {
			s.noteAll(f, mark{kind: kindEmits, how: "messages"}, offset, terms(string(rest)))
		}
		offset += len(line)
	}
}

// noteType remembers the type that an argument makes, new X(...) or X(...), or that
// typeof(X) names, until the types of all files are known.
func (s *Scan) noteType(f *source, m mark, at int, argument []byte) {
	argument = bytes.TrimLeft(argument, " \t\r\n")
	argument = bytes.TrimLeft(bytes.TrimPrefix(argument, []byte("new ")), " ")
	end := wordEnd(argument, 0)
	if end < 3 || argument[0] < 'A' || argument[0] > 'Z' || len(s.typed) >= maxPending {
		return
	}
	if end < len(argument) && bytes.IndexByte([]byte("(){ \r\n"), argument[end]) >= 0 {
		s.typed = append(s.typed, pending{m.kind, m.how, string(argument[:end]), f.place(at)})
	}
}
