package facts

import (
	"bytes"
	"strings"
)

// readEnvironment finds the settings that code reads from its environment: calls
// and indexes whose name says so (os.Getenv, ENV.fetch, mustEnv), members
// (process.env.X), the objects that process.env is taken apart into, and the tags
// of Go's structs.
func (s *Scan) readEnvironment(f *source) {
	for _, word := range []string{"env", "Env", "ENV"} {
		for at := 0; ; {
			i := bytes.Index(f.raw[at:], []byte(word))
			if i < 0 {
				break
			}
			at += i
			at = max(s.envAt(f, at), at+len(word))
		}
	}
	if f.lang == "js" || f.lang == "java" || f.lang == "go" || f.lang == "csharp" || f.lang == "kotlin" {
		s.readConfigCalls(f)
	}
	s.readSchemas(f)
}

// envAt looks at one word that speaks of the environment, and returns where to go
// on.
func (s *Scan) envAt(f *source, at int) int {
	start, end := at, at
	for start > 0 && (isWordByte(f.raw[start-1]) || isJoint(f.raw[start-1])) && at-start < 60 {
		start--
	}
	for end < len(f.raw) && (isWordByte(f.raw[end]) || isJoint(f.raw[end])) && end-at < 200 {
		end++
	}
	token := strings.TrimLeft(string(f.raw[start:end]), "!?.:>")
	if how, name, ok := member(token); ok {
		if f.isCode(start) && !assigned(f.raw, end) {
			s.keep(kindEnv, how, name, f.place(at))
		}
		return end
	}
	next := end
	if next == len(f.raw) {
		return end
	}
	if f.raw[next] == '<' { // type arguments: getEnv<string>(
		if i := bytes.IndexByte(f.raw[next:min(len(f.raw), next+40)], '>'); i > 0 {
			next += i + 1
		}
	}
	if next == len(f.raw) {
		return end
	}
	switch {
	case f.raw[next] == '(' || f.raw[next] == '[' || f.raw[next] == '!' && next+1 < len(f.raw) && f.raw[next+1] == '(':
		if f.raw[next] == '!' {
			next++
		}
		s.envCall(f, token, start, next)
	case isTag(f, token, end):
		value, _, _ := bytes.Cut(f.raw[end+1:min(len(f.raw), end+100)], []byte{'"'})
		name, _, _ := strings.Cut(string(value), ",")
		if f.isCode(start) {
			s.keep(kindEnv, strings.TrimSuffix(token, ":"), name, f.place(at))
		}
	case token == "process.env" || token == "import.meta.env":
		s.envObject(f, token, start)
	case f.lang == "go" && (strings.HasPrefix(token, "EnvVar") || strings.HasPrefix(token, "Envar")) && strings.HasSuffix(token, ":"):
		s.flagVariables(f, at, end)
	}
	return end
}

func isJoint(b byte) bool {
	return b == '.' || b == ':' || b == '?' || b == '!' || b == '-' || b == '>'
}

// member is the X of process.env.X.
func member(token string) (how, name string, ok bool) {
	token = strings.ReplaceAll(strings.ReplaceAll(token, "?.", "."), "!", "")
	for _, how := range []string{"process.env.", "import.meta.env.", "Bun.env."} {
		if i := strings.Index(token, how); i >= 0 {
			name, _, _ = strings.Cut(token[i+len(how):], ".")
			name = strings.TrimRight(name, ":?->")
			return strings.TrimSuffix(how, "."), name, name != ""
		}
	}
	return "", "", false
}

// knownReaders are what reads the environment under any name, not in capitals only.
func isKnownReader(token string) bool {
	switch strings.TrimSuffix(token, "?.") {
	case "os.Getenv", "os.LookupEnv", "syscall.Getenv", "System.getenv", "System.getenv().get", "process.env", "os.environ", "os.environ.get", "os.getenv", "environ.get",
		"ENV", "ENV.fetch", "Environment.GetEnvironmentVariable", "System.Environment.GetEnvironmentVariable", "std::env::var", "env::var", "env",
		"Deno.env.get", "import.meta.env", "sys.env", "sys.env.get", "System.get_env", "System.fetch_env", "System.fetch_env!", "getenv", "_ENV", "environ", "$_ENV":
		return true
	}
	return false
}

// envCall reads the names out of the call or index at open.
func (s *Scan) envCall(f *source, token string, start, open int) {
	lower := strings.ToLower(token)
	for _, no := range []string{"setenv", "set_var", ">", "putenv", "unset", "envoy", "event", "envelope", "delenv", "clear", "setdefault", "environ.pop", "denv.load", "withenv", "addenv", "expandenv", "prefixed"} {
		if strings.Contains(lower, no) {
			return
		}
	}
	if !f.isCode(start) {
		return
	}
	inner, end, ok := group(f.text(), open)
	if !ok || f.raw[open] == '[' && assigned(f.raw, end+1) {
		return
	}
	if f.lang == "ruby" && (strings.HasPrefix(token, "env") || strings.HasSuffix(token, ".env")) {
		return // Rack's env holds headers
	}
	known := isKnownReader(token) && (token != "env" || f.lang == "php" || f.lang == "python")
	args, prefix := split(inner), f.prefixAt(start)
	every := strings.HasSuffix(token, "EnvVars") // cli.EnvVars("A", "B")
	for i, arg := range args {
		if strings.HasPrefix(arg, "{") && strings.Contains(lower, "env") { // cleanEnv(process.env, {X: str()})
			if nested, _, ok := group([]byte(arg), 0); ok {
				for _, a := range split(nested) {
					if name, _, ok := named(a); ok && isSettingName(name) {
						s.keep(kindEnv, token, name, f.place(start))
					}
				}
			}
			continue
		}
		if (i > 0 && known || i > 1) && !every {
			break // a default
		}
		for _, t := range terms(arg) {
			text := t.text
			if t.ref {
				text, _ = f.constant(t.text)
				if text == "" && known && isReference(t.text) && len(s.pending) < maxPending {
					s.pending = append(s.pending, pending{kindEnv, token, t.text, f.place(start)})
				}
			}
			if text != "" && (known || isSettingName(text)) {
				s.keep(kindEnv, strings.Trim(token, ".:"), prefix+text, f.place(start))
			}
		}
		if i == 0 && len(args) > 1 && !strings.HasPrefix(args[0], "&") && !isName(args[0]) && !every {
			break // what follows a name is a default
		}
	}
}

// isSettingName tells names in capitals, which hardly anything but a setting has.
func isSettingName(s string) bool {
	return len(s) > 2 && isUpper([]byte(s)) && s[0] >= 'A' && s[0] <= 'Z'
}

// envObject reads const { A, B = 1 } = process.env.
func (s *Scan) envObject(f *source, token string, at int) {
	text := f.text()
	i := backSpace(text, at)
	if i == 0 || text[i-1] != '=' {
		return
	}
	i = backSpace(text, i-1)
	if i == 0 || text[i-1] != '}' {
		return
	}
	from := bytes.LastIndexByte(text[max(0, i-maxCall):i], '{')
	if from < 0 {
		return
	}
	from += max(0, i-maxCall)
	for _, part := range split(string(text[from+1 : i-1])) {
		if end := wordEnd([]byte(part), 0); end > 0 {
			s.keep(kindEnv, token, part[:end], f.place(from))
		}
	}
}

// readConfigCalls finds configService.get('X'), viper.GetString("X") and the like,
// when the name is in capitals and so a setting of the environment.
func (s *Scan) readConfigCalls(f *source) {
	for _, word := range []string{"onfigService.get", "onfigurationService.get", "viper.Get", "onfiguration[", "onfig.get", "onfiguration.GetValue", "env.getProperty", "nvironment.getProperty"} {
		for at := 0; ; {
			i := bytes.Index(f.raw[at:], []byte(word))
			if i < 0 {
				break
			}
			at += i + len(word)
			open := at - 1
			if f.raw[open] != '[' {
				open = opening(f.raw, wordEnd(f.raw, at))
			}
			if open < 0 || !f.isCode(at-1) {
				continue
			}
			inner, _, ok := group(f.text(), open)
			if !ok {
				continue
			}
			for _, arg := range split(inner) {
				for _, t := range terms(arg) {
					if !t.ref && isSettingName(t.text) && (strings.Contains(t.text, "_") || word != "onfig.get") {
						s.keep(kindEnv, "config", t.text, f.place(at))
					}
				}
			}
		}
	}
}
