package endpoints

import (
	"strconv"
	"strings"
)

// readProto lists the remote calls of a .proto file, and the HTTP routes that
// google.api.http gives them.
func readProto(file string, text []byte) []Found {
	if isForeignProto(file) {
		return nil
	}
	p := &proto{words: marked{text: blank("proto", text), line: 1}, file: file}
	for word := p.words.next(); word != "" && len(p.list) < maxFound; word = p.words.next() {
		switch word {
		case "package":
			p.pack = p.words.next()
		case "service":
			p.service(p.words.next())
		case "{":
			p.words.skip()
		}
	}
	return p.list
}

// isForeignProto tells the definitions that repositories carry along for others.
func isForeignProto(file string) bool {
	low := "/" + strings.ToLower(file)
	for _, part := range []string{
		"/google/api/", "/google/protobuf/", "/google/rpc/", "/google/type/", "/google/longrunning/", "/googleapis/", "/third_party/",
		"/third-party/", "/thirdparty/", "/protoc-gen-", "/grpc/health/", "/grpc/reflection/", "/node_modules/", "/vendor/",
	} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}

type proto struct {
	words marked
	file  string
	pack  string
	list  []Found
}

// service reads Name { rpc ...; rpc ... { option ... } }.
func (p *proto) service(name string) {
	if name == "" || !isName(name[0]) || p.words.next() != "{" {
		return
	}
	full := name
	if p.pack != "" && isName(p.pack[0]) {
		full = p.pack + "." + name
	}
	for word := p.words.next(); word != "" && word != "}"; word = p.words.next() {
		switch word {
		case "rpc":
			p.call(full)
		case "{":
			p.words.skip()
		}
	}
}

// call reads Method(stream In) returns (Out), and its options.
func (p *proto) call(service string) {
	line := p.words.line
	method := p.words.next()
	if method == "" || !isName(method[0]) {
		return
	}
	p.list = append(p.list, Found{"RPC", "/" + service + "/" + method, "gRPC", p.file, line})
	for word := p.words.peek(); word != "" && word != "}" && word != "rpc"; word = p.words.peek() {
		p.words.next()
		if word == ";" {
			return
		}
		if word == "{" {
			p.options()
			return
		}
	}
}

// options reads the body of a call, of which google.api.http matters.
func (p *proto) options() {
	for word := p.words.next(); word != "" && word != "}"; word = p.words.next() {
		switch {
		case word == "{":
			p.words.skip()
		case strings.TrimPrefix(word, ".") == "google.api.http":
			p.rule()
		}
	}
}

// rule reads what follows the option's name: ).get = "/path"; or ) = { ... }.
func (p *proto) rule() {
	kind, depth := "", 0
	for word := p.words.next(); word != ""; word = p.words.next() {
		switch word {
		case ";":
			if depth == 0 {
				return
			}
		case "{":
			depth++
		case "}":
			if depth--; depth <= 0 {
				return
			}
		case "get", "put", "post", "delete", "patch", "path", ".get", ".put", ".post", ".delete", ".patch":
			p.route(strings.TrimPrefix(word, "."), kind)
		case "kind":
			kind = strings.ToUpper(p.words.text1())
		}
	}
}

// route notes the path that stands behind a method's name.
func (p *proto) route(method, kind string) {
	line := p.words.line
	path := p.words.text1()
	if !strings.HasPrefix(path, "/") {
		return
	}
	if method = strings.ToUpper(method); method == "PATH" {
		if method = kind; method == "*" {
			method = ""
		}
	}
	p.list = append(p.list, Found{method, template(path), "gRPC", p.file, line})
}

// marked reads names, marks and text in quotes, which begins with its quote.
type marked struct {
	text []byte
	at   int
	line int
}

func (w *marked) next() string {
	for w.at < len(w.text) {
		c := w.text[w.at]
		start := w.at
		switch {
		case c == '\n':
			w.line++
		case c == '"' || c == '\'':
			n, _, _ := quoted(w.text[start:], string(c), false)
			w.at += n
			return string(w.text[start:w.at])
		case isName(c) || c == '.':
			for w.at < len(w.text) && (isName(w.text[w.at]) || w.text[w.at] == '.') {
				w.at++
			}
			return string(w.text[start:w.at])
		case c != ' ' && c != '\t' && c != '\r':
			w.at++
			return string(w.text[start:w.at])
		}
		w.at++
	}
	return ""
}

func (w *marked) peek() string {
	before := *w
	word := w.next()
	*w = before
	return word
}

// text1 reads ": "one" "two"" as one text; "" when something else follows.
func (w *marked) text1() string {
	if next := w.peek(); next == ":" || next == "=" {
		w.next()
	}
	var out strings.Builder
	for next := w.peek(); next != "" && (next[0] == '"' || next[0] == '\''); next = w.peek() {
		w.next()
		part := strings.Trim(next, `"'`)
		if whole, err := strconv.Unquote(next); err == nil {
			part = whole
		}
		out.WriteString(part)
	}
	return out.String()
}

// skip passes what stands between braces; the first is passed already.
func (w *marked) skip() {
	depth := 1
	for word := w.next(); word != ""; word = w.next() {
		switch word {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return
			}
		}
	}
}
