package sync

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Field is one field of an entry, "owner.team" for one within an object; a nil
// Value means that the entry has none.
type Field struct {
	Name  string
	Value any
}

// Drafted returns the fields that drafting fills, in the order of the format: all
// that registry.DraftHash is taken over and drafting knows to fill.
func Drafted(r routing.Repo) []Field {
	list := []Field{
		{"owns", r.Owns},
		{"endpoints", r.Endpoints},
		{"emits", r.Emits},
		{"consumes", r.Consumes},
		{"languages", r.Languages},
		{"frameworks", r.Frameworks},
		{"dependsOn", r.DependsOn},
		{"providesTo", r.ProvidesTo},
		{"owner.team", r.Owner.Team},
		{"errorContracts.codes", r.ErrorContracts.Codes},
		{"authContracts.requires", r.AuthContracts.Requires},
		{"authContracts.issues", r.AuthContracts.Issues},
		{"configContracts.envVars", r.ConfigContracts.EnvVars},
		{"description", r.Description},
		{"descriptionSource", r.DescriptionSource},
		{"components", r.Components},
		{"packages", r.Packages},
		{"owners", r.Owners},
	}
	for i, f := range list {
		if v := reflect.ValueOf(f.Value); v.Len() == 0 { // a string or a list of them
			list[i].Value = nil
		}
	}
	return list
}

// Compare says field by field what the second entry says otherwise, as
// "owns: +refunds -misc".
func Compare(a, b routing.Repo) []string {
	var out []string
	was, is := Drafted(a), Drafted(b)
	for i := range was {
		if reflect.DeepEqual(was[i].Value, is[i].Value) {
			continue
		}
		old, listed := was[i].Value.([]string)
		now, also := is[i].Value.([]string)
		if !listed && !also {
			now, _ := is[i].Value.(string)
			out = append(out, fmt.Sprintf("%s: %q", was[i].Name, now))
			continue
		}
		var words []string
		for _, w := range now {
			if !slices.Contains(old, w) {
				words = append(words, "+"+w)
			}
		}
		for _, w := range old {
			if !slices.Contains(now, w) {
				words = append(words, "-"+w)
			}
		}
		if len(words) == 0 {
			words = []string{"the same in another order"}
		}
		out = append(out, was[i].Name+": "+strings.Join(words, ", "))
	}
	return out
}

// whyDrifted names the fields that the code has outgrown.
func whyDrifted(entry, want routing.Repo) string {
	was, is := Drafted(entry), Drafted(want)
	var names []string
	for i := range was {
		if !reflect.DeepEqual(was[i].Value, is[i].Value) {
			names = append(names, was[i].Name)
		}
	}
	if len(names) == 0 {
		return "the code changed, what it says of itself did not"
	}
	return "the code changed: " + strings.Join(names, ", ")
}
