package registry

import (
	"cmp"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// canonical is the order in which the fields of a new entry are written: what it
// is, who may see it, what it is for, whom to ask, what points to it, what it
// promises, its relations, and last what programs keep there.
const canonical = `name path id host cloneURL defaultBranch visibility audience archived aliases
description descriptionSource owns components labels hosts packages filedIn
endpoints emits consumes languages frameworks
owner owners slackChannel
errorContracts authContracts configContracts dataContracts serviceLevel testContracts
dependsOn providesTo siblings screens apiVersion deprecates
agentType agentFile contextFile fingerprint lastIndexed userEdited drafted`

// order ranks the keys of an object. t is the struct that reads it, nil for none.
type order map[string]int

func orderOf(t reflect.Type) order {
	o := order{}
	if t == reflect.TypeFor[routing.Repo]() {
		for i, name := range strings.Fields(canonical) {
			o[name] = i
		}
	} else if t != nil && t.Kind() == reflect.Struct {
		o = fieldsOf(t)
	}
	return o
}

// rank places what is not known after all that is.
func (o order) rank(key string) int {
	if i, ok := o[key]; ok {
		return i
	}
	return len(o)
}

func (o order) keys(m map[string]any) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(o.rank(a), o.rank(b)), cmp.Compare(a, b))
	})
}

// typeOf is the type that reads a key of t, nil for none.
func typeOf(t reflect.Type, key string) reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	i, ok := fieldsOf(t)[key]
	if !ok {
		return nil
	}
	return t.Field(i).Type
}

func elemOf(t reflect.Type) reflect.Type {
	if t == nil || t.Kind() != reflect.Slice {
		return nil
	}
	return t.Elem()
}

// complete gives a new entry what RepoOrch's readers require. Only fingerprint and
// lastIndexed are left out when nobody gave them: they cannot be made up.
func complete(entry map[string]any) {
	name, _ := entry["name"].(string)
	slug := agentName(name)
	for key, v := range map[string]any{
		"path": "./" + path.Base(name), "userEdited": false,
		"agentType":   "repo-" + slug,
		"agentFile":   ".claude/agents/repo-" + slug + ".md",
		"contextFile": ".repo-orchestrator/context/" + slug + ".md",
	} {
		if _, ok := entry[key]; !ok {
			entry[key] = v
		}
	}
	for key := range strings.FieldsSeq("owns endpoints emits consumes languages frameworks dependsOn providesTo") {
		if _, ok := entry[key]; !ok {
			entry[key] = []any{}
		}
	}
}

// agentName writes a name with the characters that RepoOrch allows in one.
func agentName(name string) string {
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(slug, "-")
}
