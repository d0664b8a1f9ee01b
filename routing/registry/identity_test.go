package registry_test

import (
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing/registry"
)

func TestParseWarnsOfOneRepositoryTwice(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, a, b string
		warns      bool
	}{
		{"two ids", `"id":1`, `"id":2`, false},
		{"no id", `"host":"git.example"`, `"host":"git.example"`, false},
		{"one id", `"id":1`, `"id":1`, true},
		{"a number and its digits", `"id":1`, `"id":"1"`, true},
		{"two hosts", `"id":1,"host":"a.example"`, `"id":1,"host":"b.example"`, false},
		{"a host in another case", `"id":1,"host":"a.example"`, `"id":1,"host":"A.example"`, true},
		{"a host of an address", `"id":1,"host":"a.example"`, `"id":1,"cloneURL":"https://a.example/o/b.git"`, true},
		{"a host of a short address", `"id":1,"cloneURL":"git@a.example:o/a.git"`, `"id":1,"cloneURL":"git@b.example:o/b.git"`, false},
		{"parts of one", `"id":1,"cloneURL":"https://a.example/o/m.git","path":"x"`, `"id":1,"cloneURL":"https://a.example/o/m.git","path":"y"`, false},
		{"the whole and a part", `"id":1,"cloneURL":"https://a.example/o/m.git"`, `"id":1,"cloneURL":"https://a.example/o/m.git","path":"y"`, false},
		{"one path", `"id":1,"cloneURL":"https://a.example/o/m.git","path":"x"`, `"id":1,"cloneURL":"https://a.example/o/m.git","path":"x"`, true},
		{"two addresses", `"id":1,"host":"a.example","cloneURL":"https://a.example/o/m.git","path":"x"`, `"id":1,"cloneURL":"https://a.example/o/n.git","path":"y"`, true},
	} {
		reg, err := registry.Parse("r.json", []byte(`{"version":1,"repos":[{"name":"a",`+tc.a+`},{"name":"b",`+tc.b+`}]}`))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		all := strings.Join(reg.Warnings, "\n")
		if got := strings.Contains(all, `$.repos[1].id: "a" has this id as well ($.repos[0])`); got != tc.warns || !tc.warns && all != "" {
			t.Errorf("%s: warnings = %q, want one: %t", tc.name, all, tc.warns)
		}
	}
}

func TestParseWarnsOfOneAddressTwice(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, a, b string
		warns      bool
	}{
		{"one address", `"cloneURL":"https://a.example/o/m.git"`, `"cloneURL":"https://a.example/o/m.git"`, true},
		{"with and without .git", `"cloneURL":"https://a.example/o/m.git","path":"./x"`, `"cloneURL":"https://A.example/o/m/","path":"x"`, true},
		{"https and git@", `"cloneURL":"https://a.example/o/m"`, `"cloneURL":"git@a.example:o/m.git"`, true},
		{"ssh", `"cloneURL":"ssh://git@a.example/o/m"`, `"cloneURL":"git@a.example:o/m.git"`, true},
		{"parts", `"cloneURL":"https://a.example/o/m","path":"x"`, `"cloneURL":"https://a.example/o/m","path":"y"`, false},
		{"other hosts", `"cloneURL":"https://a.example/o/m"`, `"cloneURL":"https://b.example/o/m"`, false},
		{"other names", `"cloneURL":"https://a.example/o/m"`, `"cloneURL":"https://a.example/o/n"`, false},
		{"one has an id", `"id":1,"cloneURL":"https://a.example/o/m"`, `"cloneURL":"https://a.example/o/m"`, false},
	} {
		reg, err := registry.Parse("r.json", []byte(`{"version":1,"repos":[{"name":"a",`+tc.a+`},{"name":"b",`+tc.b+`}]}`))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		all := strings.Join(reg.Warnings, "\n")
		if got := strings.Contains(all, `$.repos[1].cloneURL: "a" is this repository as well ($.repos[0])`); got != tc.warns || !tc.warns && all != "" {
			t.Errorf("%s: warnings = %q, want one: %t", tc.name, all, tc.warns)
		}
	}
}
