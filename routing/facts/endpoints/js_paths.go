package endpoints

import (
	"bytes"
	"path"
	"strings"
)

// fileRoutes returns the routes of frameworks in which a file's place is its path:
// Next.js, Nuxt and SvelteKit.
func fileRoutes(file string, text []byte) []Found {
	base := stem(file)
	dir := "/" + path.Dir(file) + "/"
	found := func(route, framework string, methods []string) []Found {
		var all []Found
		for _, m := range methods {
			all = append(all, Found{Method: m, Path: normalise(route), Framework: framework, File: file, Line: 1})
		}
		return all
	}
	switch {
	case base == "route" && strings.Contains(dir, "/app/"):
		if strings.Contains(dir, "/src/app/") {
			dir = "/app/" + after(dir, "/src/app/")
		}
		return found(folders(after(dir, "/app/")), "nextjs", exportedVerbs(text))
	case base == "route" && strings.Contains(dir, "/src/api/"):
		return found(folders(after(dir, "/src/api/")), "medusa", exportedVerbs(text))
	case base == "+server" && strings.Contains(dir, "/routes/"):
		return found(folders(after(dir, "/routes/")), "sveltekit", exportedVerbs(text))
	case strings.Contains(dir, "/pages/api/") && (bytes.Contains(text, []byte("export default")) || bytes.Contains(text, []byte("module.exports"))):
		rest := strings.TrimSuffix("/api/"+after(dir, "/pages/api/")+base, "/index")
		if strings.HasPrefix(base, "_") || strings.HasPrefix(path.Ext(file), ".jsx") {
			return nil
		}
		return found(folders(rest), "nextjs", askedVerbs(text))
	case strings.Contains(dir, "/server/api/") && bytes.Contains(text, []byte("ventHandler(")):
		name, verb, _ := strings.Cut(base, ".")
		rest := strings.TrimSuffix("/api/"+after(dir, "/server/api/")+name, "/index")
		return found(folders(rest), "nuxt", []string{httpMethod(verb)})
	}
	return nil
}

// after returns what follows the first mark in s.
func after(s, mark string) string {
	_, rest, _ := strings.Cut(s, mark)
	return rest
}

// folders makes a path of folders: [id] is a parameter, (group) and @slot are nothing.
func folders(dir string) string {
	var out []string
	for part := range strings.SplitSeq(dir, "/") {
		switch {
		case part == "" || strings.HasPrefix(part, "(") || strings.HasPrefix(part, "@"):
		case strings.HasPrefix(part, "["):
			name, _, _ := strings.Cut(strings.Trim(part, "[.]"), "=")
			out = append(out, "{"+paramName(name)+"}")
		default:
			out = append(out, part)
		}
	}
	return "/" + strings.Join(out, "/")
}

func verbs() []string { return []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} }

// exportedVerbs returns the methods that a file exports a function for.
func exportedVerbs(text []byte) []string {
	var all []string
	for _, v := range verbs() {
		for _, head := range []string{"export async function " + v + "(", "export function " + v + "(", "export const " + v + " ", "export const " + v + ":"} {
			if bytes.Contains(text, []byte(head)) {
				all = append(all, v)
				break
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	for line := range bytes.Lines(text) { // export { handler as GET, handler as POST }
		if !bytes.HasPrefix(line, []byte("export")) || !bytes.ContainsAny(line, "{") {
			continue
		}
		for _, v := range verbs() {
			if bytes.Contains(line, []byte(" as "+v)) || bytes.Contains(line, []byte(" "+v+",")) || bytes.Contains(line, []byte(" "+v+" }")) {
				all = append(all, v)
			}
		}
	}
	return all
}

// askedVerbs returns the methods that a file asks for by name; any when it asks for none.
func askedVerbs(text []byte) []string {
	var all []string
	if bytes.Contains(text, []byte("method")) {
		for _, v := range verbs() {
			for _, q := range []string{`"`, `'`} {
				quoted := q + v + q
				if bytes.Contains(text, []byte("case "+quoted)) || bytes.Contains(text, []byte("== "+quoted)) {
					all = append(all, v)
					break
				}
			}
		}
	}
	if len(all) == 0 {
		all = []string{""}
	}
	return all
}
