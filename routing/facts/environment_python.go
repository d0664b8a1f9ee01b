package facts

import (
	"bytes"
	"strings"
)

// readPydantic reads the fields of classes derived from BaseSettings.
func (s *Scan) readPydantic(f *source) {
	if !f.mentions("BaseSettings") {
		return
	}
	text, class, offset := f.text(), settingsClass{}, 0
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimRight(line, "\r\n")
		if len(trimmed) > 0 && !isSpace(trimmed[0]) && trimmed[0] != ')' {
			class.keep(s, f)
			class = settingsClass{}
			_, bases, ok := bytes.Cut(trimmed, []byte("("))
			class.open = ok && bytes.HasPrefix(trimmed, []byte("class ")) && bytes.Contains(bases, []byte("BaseSettings"))
		} else if class.open {
			class.line(string(trimmed), offset)
		}
		offset += len(line)
	}
	class.keep(s, f)
}

// settingsClass is a class of settings that is being read.
type settingsClass struct {
	open   bool
	prefix string
	names  []string
	own    []bool // named by hand: without the prefix
	at     []int
}

func (c *settingsClass) add(name string, own bool, at int) {
	c.names, c.own, c.at = append(c.names, name), append(c.own, own), append(c.at, at)
}

// line reads one line of a class's body: a field, or the prefix of all.
func (c *settingsClass) line(line string, at int) {
	trimmed := strings.TrimSpace(line)
	if _, value, ok := strings.Cut(trimmed, "env_prefix"); ok {
		value = strings.TrimLeft(value, " =:\"'")
		c.prefix = value[:wordEnd([]byte(value), 0)]
		return
	}
	depth := len(line) - len(strings.TrimLeft(line, " \t"))
	if depth > 4 { // a method's, or the rest of a field
		for _, key := range []string{"validation_alias", "env"} {
			c.alias(trimmed, key, at)
		}
		return
	}
	name := leadingName(trimmed)
	rest := trimmed[len(name):]
	if name == "" || name == "model_config" || !strings.HasPrefix(rest, ":") || strings.Contains(rest, "ClassVar") {
		return
	}
	c.add(name, false, at)
	for _, key := range []string{"validation_alias", "env"} {
		c.alias(rest, key, at)
	}
}

// alias reads Field(env="A"), Field(validation_alias=AliasChoices("A", "B")): names
// that stand for the last field's own.
func (c *settingsClass) alias(text, key string, at int) {
	i := strings.Index(text, key+"=")
	if i < 0 || i > 0 && isWordByte(text[i-1]) || len(c.names) == 0 {
		return
	}
	value := strings.TrimPrefix(text[i+len(key)+1:], "AliasChoices(")
	first := true
	for _, part := range split(value) {
		name, ok := literal(strings.Trim(part, "[]() "))
		if !ok || !isSetting(name) {
			break
		}
		if last := len(c.names) - 1; first && !c.own[last] {
			c.names, c.own, c.at = c.names[:last], c.own[:last], c.at[:last]
		}
		c.add(name, true, at)
		first = false
	}
}

func (c *settingsClass) keep(s *Scan, f *source) {
	for i, name := range c.names {
		if !c.own[i] {
			name = c.prefix + name
		}
		s.keep(kindEnv, "BaseSettings", strings.ToUpper(name), f.place(c.at[i]))
	}
}

// maxAbove bounds the lines above a read that are looked at for its block.
const maxAbove = 200

// prefixAt is the prefix of the block that a read stands in: with
// env.prefixed("DB_"): of Python's environs.
func (f *source) prefixAt(at int) string {
	if f.lang != "python" || !f.mentions("prefixed(") {
		return ""
	}
	text, prefix := f.text(), ""
	depth := indentOf(text, at)
	for start, lines := lineStart(text, at), 0; start > 0 && depth > 0 && lines < maxAbove; lines++ {
		end := start - 1
		start = lineStart(text, end)
		line := string(text[start:end])
		own := len(line) - len(strings.TrimLeft(line, " \t"))
		if strings.TrimSpace(line) == "" || own >= depth {
			continue
		}
		depth = own
		if _, rest, ok := strings.Cut(line, ".prefixed("); ok && strings.HasPrefix(strings.TrimSpace(line), "with ") {
			value, _, _ := strings.Cut(rest, ")")
			if name, ok := literal(value); ok {
				prefix = name + prefix
			}
		}
	}
	return prefix
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func indentOf(text []byte, at int) int {
	start := lineStart(text, at)
	return len(text[start:at]) - len(bytes.TrimLeft(text[start:at], " \t"))
}
