package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/bot/config"
)

func readDoc(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// configKeys returns every key of the configuration, "jira[].tenant" for one of a list.
func configKeys(t reflect.Type, prefix string) []string {
	var keys []string
	for i := range t.NumField() {
		name := t.Field(i).Tag.Get("yaml")
		if name == "-" {
			continue
		}
		in, mark := t.Field(i).Type, ""
		if in.Kind() == reflect.Pointer {
			in = in.Elem()
		}
		if in.Kind() == reflect.Slice {
			in, mark = in.Elem(), "[]"
		}
		if in.Kind() == reflect.Struct {
			keys = append(keys, configKeys(in, prefix+name+mark+".")...)
			continue
		}
		keys = append(keys, prefix+name+mark)
	}
	return keys
}

func TestConfigurationIsDocumented(t *testing.T) {
	t.Parallel()
	doc := readDoc(t, "docs/configuration.md")
	keys := configKeys(reflect.TypeFor[config.Config](), "")
	documented := map[string]bool{}
	for _, k := range keys {
		documented[k] = true
		env := "POINTSMAN_" + strings.ToUpper(strings.NewReplacer("[].", "_0_", "[]", "_0", ".", "_").Replace(k))
		if !strings.Contains(doc, "`"+k+"`") || !strings.Contains(doc, "`"+env+"`") {
			t.Errorf("docs/configuration.md lacks %s or %s", k, env)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `[^|]*").FindAllString(doc, -1) {
		for _, k := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row, -1) {
			if !documented[k[1]] {
				t.Errorf("docs/configuration.md describes %s, which is no key", k[1])
			}
		}
	}
}

// Every module that go.mod requires directly has its reason, and nothing else has.
func TestDependenciesAreDocumented(t *testing.T) {
	t.Parallel()
	doc := readDoc(t, "docs/dependencies.md")
	required := map[string]bool{}
	for _, p := range goList(t, nil) {
		for _, list := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			for _, imp := range list {
				if m := moduleOf(t, imp); m != "" {
					required[m] = true
				}
			}
		}
	}
	for m := range required {
		if !strings.Contains(doc, "`"+m+"`") {
			t.Errorf("docs/dependencies.md gives no reason for %s", m)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(doc, -1) {
		if !required[row[1]] {
			t.Errorf("docs/dependencies.md lists %s, which nothing imports", row[1])
		}
	}
}

// moduleOf returns the module of an import path by go.mod, "" for ours and the standard library.
func moduleOf(t *testing.T, imp string) string {
	t.Helper()
	first, _, _ := strings.Cut(imp, "/")
	if !strings.Contains(first, ".") || imp == module || strings.HasPrefix(imp, module+"/") {
		return ""
	}
	best := ""
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:require )?(\S+) v\S+`).FindAllStringSubmatch(readDoc(t, "go.mod"), -1) {
		if (imp == m[1] || strings.HasPrefix(imp, m[1]+"/")) && len(m[1]) > len(best) {
			best = m[1]
		}
	}
	if best == "" {
		t.Errorf("go.mod names no module for %s", imp)
	}
	return best
}

// Links between the documents lead somewhere.
func TestDocumentLinksExist(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)
	houseFiles(t, func(path string, data []byte) {
		if filepath.Ext(path) != ".md" {
			return
		}
		for _, m := range link.FindAllSubmatch(bytes.ReplaceAll(data, []byte("\r"), nil), -1) {
			target := filepath.Join(moduleRoot, filepath.Dir(path), string(m[1]))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
	})
}
