package endpoints

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

// described reads files by name and lists what they describe, with its place.
func described(files map[string]string) []string {
	r := NewReader()
	for name, text := range files {
		if r.Want(name) {
			r.Read(name, []byte(text))
		}
	}
	var out []string
	for _, f := range r.Found() {
		out = append(out, fmt.Sprintf("%s %s %s:%d", f.Method, f.Path, path.Base(f.File), f.Line))
	}
	for _, e := range r.Events() {
		out = append(out, fmt.Sprintf("%s %s %s:%d", e.Direction, e.Name, path.Base(e.File), e.Line))
	}
	return out
}

type describedCase struct {
	files map[string]string
	want  []string
}

func checkDescribed(t *testing.T, cases map[string]describedCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := described(tc.files)
			slices.Sort(got)
			slices.Sort(tc.want)
			if !slices.Equal(got, tc.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

func one(name, text string) map[string]string { return map[string]string{name: text} }

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	checkDescribed(t, map[string]describedCase{
		"version 3 with a server": {one("deploy/kiosk.yml", `# the kiosk
openapi: "3.0.1"
info:
  title: Kiosk
  description: |
    paths:
      /never:
        get: {}
servers:
  - url: https://kiosk.example.com/shop/v2/ # the first counts
  - url: /other
paths:
  /tills/{till-id}/:
    parameters:
    - name: get
    get:
      summary: "a text
        post: over lines"
      responses: {}
    'delete':
      description: plain text that
        patch: goes on
  "/slips:void":
    post: {responses: {"200": {description: ok}}}
  x-note:
    get: nothing
`), []string{"GET /shop/v2/tills/{id} kiosk.yml:16", "DELETE /shop/v2/tills/{id} kiosk.yml:20", "POST /shop/v2/slips:void kiosk.yml:24"}},
		"version 2 in JSON": {
			one("spec/api.json", `{
  "paths": {"\/tills": {"get": {"responses": {}}, "post": {}},
    "/tills/{id}": {"$ref": "#/x-items/till"}},
  "x-items": {"till": {
     "put": {}}},
  "basePath": "/api", "swagger": "2.0"}`),
			[]string{"GET /api/tills api.json:2", "POST /api/tills api.json:2", "PUT /api/tills/{id} api.json:5"},
		},
		"a base that the paths have": {one("a.yaml", "swagger: '2.0'\nbasePath: /api\npaths:\n  /api/x:\n    get:\n"), []string{"GET /api/x a.yaml:5"}},
		"variables of a server": {one("a.yaml", `openapi: 3.1.0
servers:
- url: "{scheme}://{host}/{base}"
  variables:
    scheme: {default: https, enum: [https, http]}
    host:
      default: till.example.com
    base:
      default: v1
paths:
    /x: {get: {}}
`), []string{"GET /v1/x a.yaml:11"}},
		"split over files": {map[string]string{
			"api/openapi.yaml":     "openapi: 3.0.0\npaths:\n  /tills:\n    $ref: 'paths/tills.yaml'\n  /slips:\n    $ref: \"paths/all.yaml#/~1slips\"\n  /gone:\n    $ref: paths/gone.yaml\n  /far:\n    $ref: https://example.com/far.yaml\n",
			"api/paths/tills.yaml": "get:\n  responses: {}\npost:\n  responses: {}\n",
			"api/paths/all.yaml":   "/slips:\n  patch:\n    responses: {}\n",
		}, []string{"GET /tills tills.yaml:1", "POST /tills tills.yaml:3", "PATCH /slips all.yaml:2"}},
		"references in a circle": {one("a.yaml", "openapi: 3.0.0\npaths:\n  /x:\n    $ref: '#/paths/~1x'\n"), nil},
		"aliases in a circle":    {one("a.yaml", "openapi: 3.0.0\npaths: &p\n  /x: &x\n    get: *x\n  /y: *p\n"), []string{"GET /x a.yaml:4"}},
		"not a description":      {one("values.yaml", "app: openapi\npaths:\n  /x:\n    get: responses\n"), nil},
		"among the tests":        {one("tests/openapi.yaml", "openapi: 3.0.0\npaths:\n  /x:\n    get:\n"), nil},
		"lines that end as elsewhere": {
			one("a.yaml", "openapi: 3.0.0\r\npaths:\r\n  /x:\r\n    get:\r\n      tags: [a]\r\n    put:\r\n"),
			[]string{"GET /x a.yaml:4", "PUT /x a.yaml:6"},
		},
		"JSON that breaks off": {one("a.json", `{"openapi": "3.0.0", "paths": {"/x": {"get": {`), nil},
	})
}

func TestAsyncAPI(t *testing.T) {
	t.Parallel()
	checkDescribed(t, map[string]describedCase{
		"version 2 speaks of the others": {one("events.yaml", `asyncapi: 2.6.0
channels:
  slip.printed:
    subscribe:
      message: {name: Slip}
  till/{id}/opened:
    publish:
      message:
        payload: {type: object}
  messages:
    subscribe: {}
`), []string{"emits slip.printed events.yaml:4", "consumes till/{id}/opened events.yaml:7", "emits messages events.yaml:11"}},
		"version 3 speaks of itself": {
			one("events.json", `{"asyncapi": "3.0.0",
"channels": {"slips": {"address": "slip.printed"}, "tills": {"messages": {}}, "replies": {"address": null}},
"operations": {
  "print": {"action": "send", "channel": {"$ref": "#/channels/slips"}},
  "open": {"action": "receive", "channel": {"$ref": "#/channels/tills"}},
  "reply": {"$ref": "#/components/operations/reply"},
  "lost": {"action": "send", "channel": {"$ref": "#/channels/none"}}},
"components": {"operations": {"reply": {
  "action": "send", "channel": {"$ref": "#/channels/replies"}}}}}`),
			[]string{"emits slip.printed events.json:4", "consumes tills events.json:5", "emits replies events.json:8"},
		},
	})
}

func TestGraphQL(t *testing.T) {
	t.Parallel()
	checkDescribed(t, map[string]describedCase{
		"a schema": {one("schema.graphql", `"""
type Query { never: Int }
"""
schema @link(url: "x", import: ["@key"]) {
  query: Query
  mutation: Changes
}
type Query implements A & B @guard(on: "{") {
  "of one till"
  till(id: ID! = "a)", "type" kind: Kind): Till @deprecated(reason: "use tills { x }")
  tills: [Till!]! # all: of: them
  _entities(any: [X]): [Y]
}
extend type Query { type: String, slips(
  first: Int
): [Slip] }
type Changes { openTill: Till }
type Till { id: ID! }
input Query2 { a: Int }
`), []string{"QUERY /till schema.graphql:10", "QUERY /tills schema.graphql:11", "QUERY /type schema.graphql:14", "QUERY /slips schema.graphql:14", "MUTATION /openTill schema.graphql:17"}},
		"what clients send": {one("q.graphql", "query Tills($type: Kind) { type Query { till } tills { id } }\nmutation { openTill { id } }\nfragment F on Query { till }\n"), nil},
		"roots named elsewhere": {
			map[string]string{"a.gql": "schema { subscription: Live }", "b.graphqls": "type Live {\n  tillOpened: Till!\n}"},
			[]string{"SUBSCRIPTION /tillOpened b.graphqls:2"},
		},
		"a schema in code": {
			one("schema.js", "// type Query { no: Int }\nconst typeDefs = gql`\n  ${shared}\n  type Query {\n    tills: [Till]\n  }\n`;\n"),
			[]string{"QUERY /tills schema.js:5"},
		},
		"a body that never ends": {one("a.gql", "type Query { a: Int, b("), []string{"QUERY /a a.gql:1"}},
	})
}

func TestProto(t *testing.T) {
	t.Parallel()
	checkDescribed(t, map[string]describedCase{
		"calls and their routes": {one("proto/till.proto", `syntax = "proto3";
package shop.till.v1; // rpc Never(A) returns (B);
message rpc { string service = 1; }
service Tills {
  option (x) = { rpc: "no" };
  rpc Open(OpenRequest) returns (stream Till) {
    option (google.api.http) = {
      post: "/v1/{till.name=shops/*/tills/*}:open"
      body: "*"
      additional_bindings { get: "/v1" "/open/{id}" }
      additional_bindings { custom: { kind: "HEAD" path: "/v1/open" } }
    };
    option (other.http) = { get: "/v1/no" };
  }
  rpc Close (stream A) returns (B);
  rpc Count(A) returns (B) { option (google.api.http).get = "/v1/count"; }
}
service Empty {}
`), []string{
			"RPC /shop.till.v1.Tills/Open till.proto:6", "POST /v1/shops/{name}/tills/{name}:open till.proto:8", "GET /v1/open/{id} till.proto:10",
			"HEAD /v1/open till.proto:11", "RPC /shop.till.v1.Tills/Close till.proto:15", "RPC /shop.till.v1.Tills/Count till.proto:16", "GET /v1/count till.proto:16",
		}},
		"without a package":   {one("a.proto", "service A { rpc B(C) returns (D) {} rpc E(C) returns (D) {}; }"), []string{"RPC /A/B a.proto:1", "RPC /A/E a.proto:1"}},
		"written by others":   {one("proto/google/longrunning/operations.proto", "package google.longrunning; service A { rpc B(C) returns (D); }"), nil},
		"one that breaks off": {one("a.proto", "package a; service A { rpc B(C"), []string{"RPC /a.A/B a.proto:1"}},
	})
}

// hostile are texts that parsers have been slow on, or have fallen over.
func hostile() []string {
	return []string{
		"<", "{", "[", "- ", "a: {", "? ", "*a ", "&a ", "\"", "'", "a:\n ", "`", "type Query {", "service A { rpc B(", "option (google.api.http) = {",
		"{\"a\":", "  - - ", "a: |\n", "- a: >\n", ": ", "$ref: '#/a'\n",
	}
}

func TestDescriptionsAreReadInLinearTime(t *testing.T) {
	t.Parallel()
	for _, bit := range hostile() {
		for _, head := range []string{"openapi: 3.0.0\npaths:\n", "{\"openapi\": ", "type Query {service A {"} {
			text := []byte(head + strings.Repeat(bit, 100_000/len(bit)))
			for _, name := range []string{"a.yaml", "a.json", "a.graphql", "a.proto"} {
				s := newSpecs()
				start := time.Now()
				s.read(name, text)
				s.found()
				s.events()
				if took := time.Since(start); took > 5*time.Second {
					t.Errorf("%s of %q behind %q: %v", name, bit, head, took)
				}
			}
		}
	}
}

func FuzzSpecs(f *testing.F) {
	for i, bit := range hostile() {
		f.Add(uint8(i), "openapi: 3.0.0\npaths:\n  /x:\n    get: "+bit, "a: "+strings.Repeat(bit, 10))
		f.Add(uint8(i), "{\"asyncapi\": \"3.0.0\", \"operations\": {\"a\": {\"action\": \"send\", \"channel\": {\"$ref\": \"b.yaml#/x\"}}}}"+bit, "x:\n  address: y")
		f.Add(uint8(i), "package a; service B { rpc C(D) returns (E) { option (google.api.http) = { get: \"/x\" } } }"+bit, "type Query { a(b: C = \""+bit+"\"): D }")
	}
	f.Fuzz(func(t *testing.T, which uint8, a, b string) {
		s := newSpecs()
		ends := []string{".yaml", ".json", ".graphql", ".proto", ".ts"}
		s.read("a"+ends[int(which)%len(ends)], []byte(a))
		s.read("b"+ends[int(which/8)%len(ends)], []byte(b))
		lines := 1 + strings.Count(a, "\n") + strings.Count(b, "\n")
		for _, found := range s.found() {
			if !strings.HasPrefix(found.Path, "/") || found.Line < 1 || found.Line > lines || found.Framework == "" {
				t.Errorf("found %+v", found)
			}
		}
		for _, e := range s.events() {
			if e.Name == "" || e.Line < 1 || e.Line > lines {
				t.Errorf("event %+v", e)
			}
		}
	})
}
