package endpoints

import (
	"slices"
	"strings"
)

// prune leaves of an outline what the readers of descriptions look at.
func (n *node) prune() {
	n.kids = slices.DeleteFunc(n.kids, func(k *node) bool {
		switch k.key {
		case "info", "tags", "security", "externalDocs", "definitions", "responses", "parameters", "required", "properties":
			return true
		case "components":
			k.kids = slices.DeleteFunc(k.kids, func(c *node) bool {
				return c.key != "pathItems" && c.key != "channels" && c.key != "operations"
			})
		}
		k.trim()
		return false
	})
}

// trim drops what lies below methods.
func (n *node) trim() {
	switch n.key {
	case "get", "put", "post", "delete", "options", "head", "patch", "trace", "publish", "subscribe", "$ref":
		n.kids = nil
	}
	for _, k := range n.kids {
		k.trim()
	}
}

// tells tells whether a document is a description, or could be a part of one: it
// has methods, or refers to what may have some.
func (n *node) tells(depth int) bool {
	for _, k := range n.kids {
		switch {
		case depth == 0 && (k.key == "openapi" || k.key == "swagger" || k.key == "asyncapi"),
			isOperation(k.key), k.key == "action", k.key == "publish", k.key == "subscribe", k.key == "address",
			depth < 2 && k.key == "$ref",
			depth < 3 && k.tells(depth+1):
			return true
		}
	}
	return false
}

// isOperation tells the keys of a path that are methods.
func isOperation(key string) bool {
	switch key {
	case "get", "put", "post", "delete", "options", "head", "patch", "trace":
		return true
	}
	return false
}

// operations lists the methods of the paths of an OpenAPI document, 2 or 3.
func (s *specs) operations(file string, root *node) []Found {
	where, paths := s.follow(file, root.get("paths"))
	if paths == nil {
		return nil
	}
	base := basePath(root)
	if base != "" && !slices.ContainsFunc(paths.kids, func(k *node) bool {
		return strings.HasPrefix(k.key, "/") && !strings.HasPrefix(k.key, base+"/")
	}) {
		base = "" // the paths have it already
	}
	var all []Found
	for _, p := range paths.kids {
		if !strings.HasPrefix(p.key, "/") {
			continue
		}
		at, item := s.follow(where, p)
		if item == nil {
			continue
		}
		for _, m := range item.kids {
			if isOperation(m.key) && len(all) < maxFound {
				all = append(all, Found{strings.ToUpper(m.key), template(join(base, p.key)), "OpenAPI", at, m.line})
			}
		}
	}
	return all
}

// basePath is what stands before every path: basePath of version 2, the path of
// the first server of version 3.
func basePath(root *node) string {
	base := ""
	if n := root.get("basePath"); n != nil && root.get("swagger") != nil {
		base = n.value
	}
	if server := root.get("servers").get("0"); server != nil {
		if n := server.get("url"); n != nil {
			base = n.value
		}
		if variables := server.get("variables"); variables != nil {
			for _, v := range variables.kids {
				if d := v.get("default"); d != nil {
					base = strings.ReplaceAll(base, "{"+v.key+"}", d.value)
				}
			}
		}
	}
	if _, after, ok := strings.Cut(base, "://"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			return ""
		}
		base = after[i:]
	}
	if base = strings.Trim(base, "/"); base == "" || base == "." || strings.ContainsAny(base, "{}$<> ") {
		return ""
	}
	return "/" + base
}

// template brings a path of a description into the common form. Unlike routes of
// frameworks, a colon begins no parameter but a verb: /v1/{name}:cancel.
func template(path string) string {
	var out strings.Builder
	last := byte(0)
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '?' || c == '#' || c == ' ' {
			break
		}
		if c == '/' && last == '/' {
			continue
		}
		if c == '{' {
			n := closing(path[i:], '{', '}')
			out.WriteString(variable(path[i : i+n]))
			last, i = '}', i+n-1
			continue
		}
		out.WriteByte(c)
		last = c
	}
	clean := out.String()
	if len(clean) > 1 {
		clean = strings.TrimRight(clean, "/")
	}
	if clean == "" {
		return "/"
	}
	return clean
}

// variable writes {name}; {name=shelves/*/books/*} stands for several segments:
// shelves/{name}/books/{name}.
func variable(s string) string {
	name, pattern, _ := strings.Cut(strings.Trim(s, "{}+"), "=")
	name = "{" + lastName(name) + "}"
	if !strings.Contains(pattern, "/") {
		return name
	}
	parts := strings.Split(pattern, "/")
	for i, p := range parts {
		if strings.Contains(p, "*") {
			parts[i] = name
		}
	}
	return strings.Join(parts, "/")
}
