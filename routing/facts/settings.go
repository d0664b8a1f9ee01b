package facts

import (
	"bytes"
	"path"
	"strings"
)

// maxSettings bounds how many configured values of one repository are remembered.
const maxSettings = 20_000

// isSettings knows the files that hold a program's settings: Spring's, those of
// config folders, and samples of .env files.
func isSettings(p string) bool {
	base := strings.ToLower(path.Base(p))
	switch path.Ext(base) {
	case ".properties", ".yml", ".yaml", ".conf":
		if strings.HasPrefix(base, "application") || strings.HasPrefix(base, "bootstrap") {
			return true
		}
		dir := "/" + strings.ToLower(path.Dir(p)) + "/"
		return strings.Contains(dir, "/config/") || strings.Contains(dir, "/conf/") || strings.Contains(dir, "/resources/")
	}
	return isEnvSample(p)
}

// isEnvSample knows .env.example and its like: the list of settings a developer is
// to fill in.
func isEnvSample(p string) bool {
	base := strings.ToLower(path.Base(p))
	if !strings.Contains(base, "env") {
		return false
	}
	for _, word := range []string{"example", "sample", "template", "dist", "defaults"} {
		if strings.HasSuffix(base, "env."+word) || strings.HasPrefix(base, ".env") && strings.Contains(base, word) || base == word+".env" {
			return true
		}
	}
	return false
}

// readSettings reads placeholders of the environment, values by key, and the names
// of a sample.
func (s *Scan) readSettings(f *source) {
	if isEnvSample(f.path) {
		s.readEnvSample(f)
		return
	}
	s.readPlaceholders(f, "${")
	var parents []string
	var depths []int
	isYAML := strings.HasSuffix(f.path, "ml")
	for line := range strings.Lines(string(f.raw)) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' || trimmed[0] == '!' || trimmed[0] == '-' {
			continue
		}
		key, value, ok := strings.Cut(trimmed, "=")
		if isYAML {
			key, value, ok = strings.Cut(trimmed, ":")
		}
		if !ok {
			continue
		}
		depth := len(line) - len(strings.TrimLeft(line, " "))
		for len(depths) > 0 && depths[len(depths)-1] >= depth {
			depths, parents = depths[:len(depths)-1], parents[:len(parents)-1]
		}
		key, value = strings.Trim(strings.TrimSpace(key), `"'`), strings.Trim(strings.TrimSpace(value), `"'`)
		if isYAML && value == "" && len(parents) < 20 {
			depths, parents = append(depths, depth), append(parents, key)
			continue
		}
		full := strings.ToLower(strings.Join(append(parents[:len(parents):len(parents)], key), "."))
		if len(value) > 0 && len(value) <= maxConstant && len(s.settings) < maxSettings {
			if _, seen := s.settings[full]; !seen || !strings.Contains(path.Base(f.path), "-") { // application.yml before a profile's
				s.settings[full] = value
			}
		}
	}
}

// readPlaceholders keeps the names in capitals of ${X}, ${X:default}, ${?X}.
func (s *Scan) readPlaceholders(f *source, opener string) {
	for at := 0; ; {
		i := bytes.Index(f.raw[at:], []byte(opener))
		if i < 0 {
			return
		}
		at += i + len(opener)
		start := at
		if start < len(f.raw) && f.raw[start] == '?' {
			start++
		}
		end := wordEnd(f.raw, start)
		if end < len(f.raw) && (f.raw[end] == '}' || f.raw[end] == ':') && isSettingName(string(f.raw[start:end])) && !commented(f.raw, at) {
			s.keep(kindEnv, "${}", string(f.raw[start:end]), f.place(start))
		}
	}
}

// commented tells a line whose first sign opens a comment.
func commented(text []byte, at int) bool {
	line := bytes.TrimLeft(text[bytes.LastIndexByte(text[:at], '\n')+1:at], " \t")
	return len(line) > 0 && line[0] == '#'
}

// readEnvSample keeps the names of a sample. A quoted value may go on over lines,
// and so does a private key without quotes: their lines are no names.
func (s *Scan) readEnvSample(f *source) {
	number, quote, key := 0, "", false
	for line := range strings.Lines(string(f.raw)) {
		number++
		if quote != "" {
			if closes(line, quote) {
				quote = ""
			}
			continue
		}
		if key {
			key = !strings.Contains(line, "-----END ")
			continue
		}
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "export "))
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if name = strings.TrimSpace(name); isSetting(name) && isSampleName(name) {
			s.keep(kindEnv, path.Base(f.path), name, Place{f.path, number})
		}
		value = strings.TrimSpace(value)
		if value != "" && strings.ContainsRune("\"'`", rune(value[0])) {
			if !closes(value[1:], value[:1]) {
				quote = value[:1]
			}
			continue
		}
		key = strings.Contains(value, "-----BEGIN ") && !strings.Contains(value, "-----END ")
	}
}

// closes finds the end of a quoted value: a quote without a backslash before it.
func closes(text, quote string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && quote == "\"" {
			i++
		} else if text[i] == quote[0] {
			return true
		}
	}
	return false
}

// isSampleName tells a setting's name from a line of a value: capitals throughout,
// or small letters throughout, and short.
func isSampleName(name string) bool {
	return len(name) <= 64 && (strings.ToUpper(name) == name || strings.ToLower(name) == name && len(name) < 32)
}

// configured replaces "${kafka.topic:orders}" by what the settings say, or by its
// default. What stays unknown becomes "".
func (s *Scan) configured(value string) string {
	for range 3 {
		open := strings.Index(value, "${")
		if open < 0 {
			return value
		}
		end := strings.IndexByte(value[open:], '}')
		if end < 0 {
			return ""
		}
		key, otherwise, _ := strings.Cut(value[open+2:open+end], ":")
		text, ok := s.settings[strings.ToLower(key)]
		if !ok || strings.Contains(text, "${"+key) {
			text = otherwise
		}
		if text == "" {
			return ""
		}
		value = strings.Trim(value[:open]+text+value[open+end+1:], "#{}'\"")
		value, _, _ = strings.Cut(value, "'.split")
	}
	return value
}
