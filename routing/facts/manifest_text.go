package facts

import (
	"regexp"
	"strings"
)

// goMod reads the module's path and what it requires itself.
func goMod(text string) manifest {
	var m manifest
	block := ""
	for line := range strings.Lines(text) {
		line, comment, _ := strings.Cut(strings.TrimSpace(line), "//")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "module" && len(f) > 1:
			m.publishes = append(m.publishes, strings.Trim(f[1], `"`))
		case f[0] == ")":
			block = ""
		case len(f) > 1 && f[1] == "(":
			block = f[0]
		case f[0] == "require" && len(f) > 1 && !strings.Contains(comment, "indirect"):
			m.uses = append(m.uses, f[1])
		case block == "require" && !strings.Contains(comment, "indirect"):
			m.uses = append(m.uses, f[0])
		}
	}
	return m
}

// gradle finds coordinates and plugins in quotes; a build script is a program, and
// more than that cannot be read without running it.
func gradle(text string) manifest {
	var m manifest
	group, name := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "*") || strings.HasPrefix(line, "test") || strings.HasPrefix(line, "androidTest") {
			continue
		}
		found := inQuotes(line)
		if len(found) == 0 {
			continue
		}
		switch word := strings.TrimRight(line[:strings.IndexAny(line, `"'`)], " =("); {
		case word == "group" || word == "ThisBuild / organization :":
			group = found[0]
		case strings.HasSuffix(word, "rootProject.name"):
			name = found[0]
		case strings.HasSuffix(word, "kotlin"):
			m.uses = append(m.uses, "kotlin:"+found[0])
		case strings.Contains(line, "%"): // sbt
			if len(found) > 1 {
				m.uses = append(m.uses, found[0]+":"+found[1])
			}
		case strings.Contains(line, "group:") && strings.Contains(line, "name:") && len(found) > 1:
			m.uses = append(m.uses, found[0]+":"+found[1])
		default:
			for _, q := range found {
				parts := strings.Split(q, ":")
				if len(parts) > 1 {
					q = parts[0] + ":" + parts[1]
				}
				if strings.Contains(q, ".") {
					m.uses = append(m.uses, q)
				}
			}
		}
	}
	if group != "" && name != "" {
		m.publishes = append(m.publishes, group+":"+name)
	}
	return m
}

// inQuotes returns the texts in quotes of a line.
func inQuotes(line string) []string {
	var out []string
	for i := 0; i < len(line); i++ {
		if line[i] == '"' || line[i] == '\'' {
			end := quoteEnd([]byte(line), i)
			if end < len(line) && end > i+1 {
				out = append(out, line[i+1:end])
			}
			i = end
		}
	}
	return out
}

// pip reads requirement files, pyproject.toml, Pipfile, setup.cfg and setup.py.
func pip(base, text string) manifest {
	switch base {
	case "pyproject.toml":
		m := tables(text, "project|tool.poetry", "tool.poetry.dependencies", "tool.poetry.group.main.dependencies")
		m.uses = append(m.uses, arrays(text, "dependencies")...)
		return m
	case "pipfile":
		return tables(text, "", "packages")
	case "setup.py":
		m := manifest{uses: arrays(text, "install_requires")}
		if name := regexp.MustCompile(`\bname\s*=\s*["']([\w.-]+)["']`).FindStringSubmatch(text); name != nil {
			m.publishes = []string{name[1]}
		}
		return m
	case "setup.cfg":
		return setupCfg(text)
	}
	var m manifest
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && line[0] != '-' {
			m.uses = append(m.uses, requirement(line))
		}
	}
	return m
}

func setupCfg(text string) manifest {
	var m manifest
	section, key := "", ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case trimmed[0] == '[':
			section, key = trimmed, ""
		case line[0] == ' ' || line[0] == '\t':
			if section == "[options]" && key == "install_requires" {
				m.uses = append(m.uses, requirement(trimmed))
			}
		default:
			name, value, _ := strings.Cut(trimmed, "=")
			key = strings.TrimSpace(name)
			if section == "[metadata]" && key == "name" {
				m.publishes = append(m.publishes, strings.TrimSpace(value))
			}
		}
	}
	return m
}

// requirement is the name in "Django[argon2]>=4.2 ; python_version > '3'".
func requirement(line string) string {
	end := 0
	for end < len(line) && (isWordByte(line[end]) || line[end] == '-' || line[end] == '.') {
		end++
	}
	return strings.ReplaceAll(strings.ToLower(line[:end]), "_", "-")
}

// arrays returns the requirements in the lists of quoted text that are bound to
// key, in TOML or Python.
func arrays(text, key string) []string {
	var out []string
	for rest := text; ; {
		i := strings.Index(rest, key)
		if i < 0 {
			return out
		}
		before := i == 0 || rest[i-1] == '\n' || rest[i-1] == ' ' || rest[i-1] == '\t'
		rest = rest[i+len(key):]
		after := strings.TrimLeft(rest, " \t\n")
		if value, ok := strings.CutPrefix(after, "="); ok && before {
			value = strings.TrimLeft(value, " \t\n")
			if strings.HasPrefix(value, "[") {
				end := quotedListEnd(value)
				for _, q := range inQuotes(strings.ReplaceAll(value[:end], "\n", " ")) {
					out = append(out, requirement(q))
				}
				rest = value[end:]
			}
		}
	}
}

// quotedListEnd finds the bracket that closes the list at the start of s, quotes
// aside.
func quotedListEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			i = quoteEnd([]byte(s), i)
		case ']':
			return i
		}
	}
	return len(s)
}

// tables reads TOML as far as manifests need it: the name in the table called
// named (or one of several, divided by "|"), and the keys of the others.
func tables(text, name string, wanted ...string) manifest {
	var m manifest
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[] ")
			for _, w := range wanted {
				if dependency, ok := strings.CutPrefix(section, w+"."); ok {
					m.uses = append(m.uses, strings.ToLower(strings.Trim(dependency, `"'`)))
				}
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		if !ok || strings.ContainsAny(key, " {[,") {
			continue
		}
		for _, w := range wanted {
			if section == w {
				m.uses = append(m.uses, strings.ToLower(strings.TrimSuffix(key, ".workspace")))
			}
		}
		if key == "name" && section != "" && strings.Contains("|"+name+"|", "|"+section+"|") {
			if q := inQuotes(value); len(q) > 0 {
				m.publishes = append(m.publishes, q[0])
			}
		}
	}
	return m
}

// gem reads a Gemfile, or a gemspec with its own name.
func gem(base, text string) manifest {
	var m manifest
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		found := inQuotes(line)
		if len(found) == 0 || line[0] == '#' {
			continue
		}
		head := strings.TrimRight(line[:strings.IndexAny(line, `"'`)], " (")
		switch {
		case head == "gem" || strings.HasSuffix(head, ".add_dependency") || strings.HasSuffix(head, ".add_runtime_dependency"):
			m.uses = append(m.uses, found[0])
		case strings.HasSuffix(base, ".gemspec") && strings.HasSuffix(strings.TrimRight(head, " ="), ".name"):
			m.publishes = append(m.publishes, found[0])
		}
	}
	return m
}

// hex reads {:phoenix, "~> 1.7"} and app: :name of mix.exs.
func hex(text string) manifest {
	var m manifest
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "{:"); ok {
			m.uses = append(m.uses, name[:wordEnd([]byte(name), 0)])
		}
		if name, ok := strings.CutPrefix(line, "app: :"); ok {
			m.publishes = append(m.publishes, name[:wordEnd([]byte(name), 0)])
		}
	}
	return m
}

// pub reads name and dependencies of pubspec.yaml.
func pub(text string) manifest {
	var m manifest
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		key, value, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		switch {
		case line[0] != ' ':
			section = key
			if key == "name" {
				m.publishes = append(m.publishes, strings.TrimSpace(value))
			}
		case section == "dependencies" && strings.HasPrefix(line, "  ") && len(line) > 2 && line[2] != ' ':
			m.uses = append(m.uses, strings.TrimSpace(key))
		}
	}
	return m
}
