package facts

import (
	"bytes"
	"path"
	"strings"
)

// maxSchema bounds how far the description of all settings is followed, in bytes.
const maxSchema = 64 << 10

const (
	maxPlaces = 200 // of one word in one file
	maxShapes = 4   // objects among the arguments of one call
)

// readSchemas finds settings where a program describes all of them at one place:
// the shapes of envalid, zod, Joi and convict, classes of settings, flags that take
// their value from the environment.
func (s *Scan) readSchemas(f *source) {
	switch f.lang {
	case "js":
		s.readShapes(f)
	case "python":
		s.readPydantic(f)
		s.readKeywords(f, "envvar", "click|typer")
		s.readKeywords(f, "env_var", "configargparse")
		if f.mentions("decouple|starlette") {
			s.readArguments(f, "config(", "config")
		}
	case "go":
		s.readGoSettings(f)
	case "rust":
		s.readKeywords(f, "env", "clap")
	case "java", "kotlin":
		s.readKeywords(f, "name", "ConfigProperty")
	case "config":
		s.readArguments(f, "%env(", "%env()%")
	}
}

// readShapes reads the objects that describe the environment's settings.
func (s *Scan) readShapes(f *source) {
	for _, call := range []string{"cleanEnv(", "createEnv(", "envSchema("} {
		f.each(call, func(at int) {
			if inner, _, ok := groupWithin(f.text(), at+len(call)-1, maxSchema); ok {
				args := split(inner)
				for _, arg := range args[:min(len(args), maxShapes)] {
					s.readShape(f, at, strings.TrimSuffix(call, "("), f.object(arg), 2)
				}
			}
		})
	}
	isEnv := strings.Contains(strings.ToLower(path.Base(f.path)), "env")
	if isEnv || f.mentions("process.env|import.meta.env|ConfigModule|validationSchema|env-schema|@fastify/env") {
		for _, call := range []string{"z.object(", "Joi.object(", "joi.object(", "yup.object(", "v.object(", "Type.Object(", ".object().keys(", ".object().shape(", ".extend("} {
			f.each(call, func(at int) {
				if inner, _, ok := groupWithin(f.text(), at+len(call)-1, maxSchema); ok {
					s.readShape(f, at, "schema", inner, 0)
				}
			})
		}
	}
	for _, opener := range []string{"interface ProcessEnv {", "interface ImportMetaEnv {"} {
		f.each(opener, func(at int) { s.readMembers(f, at+len(opener)-1) })
	}
	if f.mentions("class-validator") {
		f.each("class Env", func(at int) {
			if open := bytes.IndexByte(f.text()[at:min(len(f.raw), at+100)], '{'); open > 0 {
				s.readMembers(f, at+open)
			}
		})
	}
	if f.mentions("env-schema|@fastify/env") {
		f.each("properties: {", func(at int) {
			if inner, _, ok := groupWithin(f.text(), at+len("properties: "), maxSchema); ok {
				s.readShape(f, at, "schema", "{"+inner+"}", 0)
			}
		})
	}
	if f.mentions("convict") {
		s.readKeywords(f, "env", "convict")
	}
}

// each calls emit for every place of a word in the code, up to maxPlaces.
func (f *source) each(word string, emit func(at int)) {
	text := f.text()
	for at, n := 0, 0; n < maxPlaces; at += len(word) {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return
		}
		at += i
		if at == 0 || !isWordByte(word[0]) || !isWordByte(text[at-1]) {
			n++
			emit(at)
		}
	}
}

// object is an argument, or the object that a name was bound to: const spec = {...}.
func (f *source) object(arg string) string {
	if !isName(arg) || strings.Contains(arg, ".") {
		return arg
	}
	found := "" // declared near the top, or not at all
	f.each(arg, func(at int) {
		text := f.text()
		end := wordEnd(text, at)
		line, _, _ := bytes.Cut(text[end:min(len(text), end+200)], []byte{'\n'})
		eq := bytes.IndexByte(line, '=')
		if eq < 0 || found != "" || string(text[at:end]) != arg {
			return
		}
		if between := bytes.TrimSpace(line[:eq]); len(between) > 0 && between[0] != ':' {
			return
		}
		open := skipSpace(text, end+eq+1)
		if open < len(text) && text[open] == '{' {
			if inner, _, ok := groupWithin(text, open, maxSchema); ok {
				found = "{" + inner + "}"
			}
		}
	})
	return found
}

// readShape keeps the keys in capitals of an object, and of those in it down to depth.
func (s *Scan) readShape(f *source, at int, how, object string, depth int) {
	inner, ok := strings.CutPrefix(strings.TrimSpace(object), "{")
	if !ok {
		return
	}
	for _, part := range split(strings.TrimSuffix(inner, "}")) {
		name, value, ok := named(part)
		if !ok {
			continue
		}
		switch {
		case isSettingName(name):
			s.keep(kindEnv, how, name, f.place(at))
		case depth > 0 && strings.HasPrefix(value, "{"):
			s.readShape(f, at, how, value, depth-1)
		}
	}
}

// readMembers keeps the members in capitals of an interface or a class.
func (s *Scan) readMembers(f *source, open int) {
	inner, _, ok := groupWithin(f.text(), open, maxSchema)
	if !ok {
		return
	}
	offset := open + 1
	for line := range strings.Lines(inner) {
		trimmed := strings.TrimSpace(line)
		for _, word := range []string{"public ", "readonly "} {
			trimmed = strings.TrimPrefix(trimmed, word)
		}
		name := leadingName(trimmed)
		if rest := strings.TrimLeft(trimmed[len(name):], "?!"); isSettingName(name) && strings.HasPrefix(rest, ":") {
			s.keep(kindEnv, "schema", name, f.place(offset))
		}
		offset += len(line)
	}
}

// readKeywords keeps the names that a keyword is given: envvar="A", env: ['A'].
func (s *Scan) readKeywords(f *source, word, needs string) {
	if !f.mentions(needs) {
		return
	}
	text := f.text()
	f.each(word, func(at int) {
		next := skipSpace(text, at+len(word))
		if next >= len(text) || text[next] != '=' && text[next] != ':' || at+len(word) < len(text) && isWordByte(text[at+len(word)]) {
			return
		}
		next = skipSpace(text, next+1)
		if next >= len(text) || bytes.IndexByte([]byte(`"'[(`), text[next]) < 0 {
			return
		}
		var value string
		if text[next] == '[' || text[next] == '(' {
			inner, _, ok := group(text, next)
			if !ok {
				return
			}
			value = "[" + inner + "]"
		} else {
			value = string(text[next:min(len(text), quoteEnd(text, next)+1)])
		}
		for _, t := range terms(value) {
			if !t.ref && isSettingName(t.text) {
				s.keep(kindEnv, word, t.text, f.place(at))
			}
		}
	})
}

// readArguments keeps the first argument in capitals of a call. Symfony's may say how
// to read it: %env(json:A)%.
func (s *Scan) readArguments(f *source, call, how string) {
	f.each(call, func(at int) {
		inner, _, ok := group(f.text(), at+len(call)-1)
		args := split(inner)
		if !ok || len(args) == 0 {
			return
		}
		name, quoted := literal(args[0])
		if !quoted && call == "%env(" {
			name, quoted = lastPart(args[0]), true
		}
		if quoted && isSettingName(name) {
			s.keep(kindEnv, how, name, f.place(at))
		}
	})
}
