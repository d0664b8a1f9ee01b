package endpoints

import (
	"strings"
	"testing"
	"time"
)

// shapes are small pieces that a file may repeat without end.
func shapes() map[string][]string {
	return map[string][]string{
		"a.js":             {"import a\n", "import {a} from 'b'\n", "app.get('/a', b)\n", "const a = require('b')\n", "a = {\n", "(\n", "`${\n", "export const a = b\n", "function a() {\n", "router.use(a)\n", "/\n", "x => \n"},
		"a.ts":             {"import a\n", "@Get()\n", "@Controller('a')\nclass A {}\n", "class A {\n", "enum A {\n"},
		"main.go":          {"package a\n", "import (\n", "func a() {\n", "r.GET(\"/a\", b)\n", "r := r.Group(\"/a\")\n", "a(\n", "`\n"},
		"A.java":           {"@GetMapping(\"/a\")\n", "class A {\n", "@RequestMapping(\n", "import a.b;\n", "\"\n", "@A\n"},
		"A.kt":             {"@GetMapping(\"/a\")\n", "class A {\n", "fun a() {\n"},
		"A.cs":             {"class A\n", "class A {\n", "[HttpGet(\"a\")]\n", "app.MapGet(\"/a\", b);\n", "[\n", "namespace A\n"},
		"a.py":             {"@app.route('/a')\n", "class A:\n", "path('a', b),\n", "from a import b\n", "def a():\n", "(\n", "'''\n"},
		"config/routes.rb": {"%w[a\n", "resources :a do\n", "get '/a'\n", "namespace :a do\n", "%w(\n", "do\n", "scope '/a' do\n", "concern :a do\n"},
		"openapi.yaml":     {"paths:\n", "- a\n", "a:\n ", "{\n"},
		"a.graphql":        {"type Query {\n", "a: B\n", "\"\"\"\n"},
		"a.proto":          {"service A {\n", "rpc A(B) returns (C);\n", "{\n"},
	}
}

// No shape takes more than its share of time: four times the file is four times the
// work, not sixteen.
func TestReadersGrowWithTheFile(t *testing.T) { //nolint:paralleltest // it measures time
	took := func(path, shape string, size int) time.Duration {
		text := []byte(strings.Repeat(shape, size/len(shape)))
		r := NewReader()
		if !r.Want(path) {
			t.Fatalf("%s is not read", path)
		}
		begin := time.Now()
		r.Read(path, text)
		r.Found()
		return time.Since(begin)
	}
	for path, list := range shapes() {
		for _, shape := range list {
			for try := 0; ; try++ {
				few, many := took(path, shape, 32<<10), took(path, shape, 128<<10)
				if many < 11*few || many < 150*time.Millisecond {
					break
				}
				if try == 3 { // a busy machine is not as slow every time
					t.Errorf("%q in %s: %v, and four times as often %v", shape, path, few, many)
					break
				}
			}
		}
	}
}
