package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is one input that is not the same in two runs.
type Difference struct{ What, Was, Is string }

// String names the difference for a person.
func (d Difference) String() string {
	return fmt.Sprintf("%s: the run file has %s, here it is %s", d.What, orNone(d.Was), orNone(d.Is))
}

// Differences are the inputs in which two runs differ.
type Differences []Difference

func (ds Differences) names() []string {
	names := []string{}
	for _, d := range ds {
		names = append(names, d.What)
	}
	return names
}

// Err returns an error that names every difference, nil when there is none.
func (ds Differences) Err() error {
	if len(ds) == 0 {
		return nil
	}
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return fmt.Errorf("not the inputs of that run: %s", strings.Join(lines, "; "))
}

// Differ lists the inputs in which a run differs from an earlier one: hashes of
// gold, registry, weights, configuration and history, the program, the hidden
// repository, and the generation of each repository.
func Differ(was, is Record) Differences {
	var ds Differences
	add := func(what, a, b string) {
		if a != b {
			ds = append(ds, Difference{what, a, b})
		}
	}
	add("gold", was.Gold.SHA256, is.Gold.SHA256)
	add("registry", was.AsOf.Registry, is.AsOf.Registry)
	add("weights", was.AsOf.Weights, is.AsOf.Weights)
	add("config", was.AsOf.Config, is.AsOf.Config)
	add("history", was.AsOf.History, is.AsOf.History)
	add("program", was.AsOf.Program, is.AsOf.Program)
	add("as-of", was.Settings.AsOf, is.Settings.AsOf)
	add("without", was.Settings.Without, is.Settings.Without)
	if was.Settings.AsOf != is.Settings.AsOf {
		return ds // their generations have other names: every one would differ
	}
	if was.Head != nil && is.Head != nil {
		for _, d := range Differ(*was.Head, *is.Head) {
			add(d.What+" at head", d.Was, d.Is)
		}
	}
	names := map[string]bool{}
	for n := range was.AsOf.Generations {
		names[n] = true
	}
	for n := range is.AsOf.Generations {
		names[n] = true
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		add("generation of "+n, was.AsOf.Generations[n], is.AsOf.Generations[n])
	}
	return ds
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
