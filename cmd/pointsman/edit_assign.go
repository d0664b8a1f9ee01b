package main

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// assigned reads assignments of the command line into a merge patch of an entry.
func assigned(entry routing.Repo, list []string) (map[string]any, error) {
	form := regexp.MustCompile(`(?s)^([A-Za-z][A-Za-z.]*)(\+=|-=|=)(.*)$`)
	now := entry
	patch := map[string]any{}
	for _, text := range list {
		m := form.FindStringSubmatch(text)
		if m == nil {
			return nil, usagef("%q: want FIELD=VALUE, LIST+=VALUE or LIST-=VALUE; see pointsman edit --help", text)
		}
		path := strings.Split(m[1], ".")
		field, err := fieldAt(reflect.ValueOf(&now).Elem(), path, m[1])
		if err != nil {
			return nil, err
		}
		if slices.Contains([]string{"fingerprint", "drafted", "lastIndexed"}, m[1]) {
			return nil, usagef("%s: pointsman init and sync write it, people do not", m[1])
		}
		if err := assign(field, m[1], m[2], m[3]); err != nil {
			return nil, err
		}
		into := patch
		for _, p := range path[:len(path)-1] {
			inner, ok := into[p].(map[string]any)
			if !ok {
				inner = map[string]any{}
				into[p] = inner
			}
			into = inner
		}
		into[path[len(path)-1]] = valueOf(field)
	}
	return patch, nil
}

// fieldAt finds a field by its names in JSON.
func fieldAt(v reflect.Value, path []string, whole string) (reflect.Value, error) {
	var known []string
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name != path[0] {
			known = append(known, name)
			continue
		}
		if len(path) == 1 {
			return v.Field(i), nil
		}
		if v.Field(i).Kind() != reflect.Struct {
			return reflect.Value{}, usagef("%s: %s has no fields of its own; write %s=VALUE", whole, name, name)
		}
		return fieldAt(v.Field(i), path[1:], whole)
	}
	for _, k := range known {
		if strings.EqualFold(k, path[0]) {
			return reflect.Value{}, usagef("%s is no field; write %s", whole, k)
		}
	}
	return reflect.Value{}, usagef("%s is no field of an entry; pointsman lint --schema lists them. Fields of your own are written in the editor: pointsman edit REPO", whole)
}

func assign(field reflect.Value, name, op, text string) error {
	kind := field.Kind()
	switch {
	case op != "=" && (kind != reflect.Slice || field.Type().Elem().Kind() != reflect.String):
		return usagef("%s%s: it is no list of words; write %s=VALUE", name, op, name)
	case text == "" && op == "=":
		field.SetZero()
		return nil
	case strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{"):
		return fromJSON(field, name, op, text)
	}
	switch kind {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return usagef("%s=%s: want true or false", name, text)
		}
		field.SetBool(b)
	case reflect.Interface: // a host's own id
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			field.Set(reflect.ValueOf(n))
			return nil
		}
		field.Set(reflect.ValueOf(text))
	case reflect.Slice:
		if field.Type().Elem().Kind() != reflect.String {
			return usagef("%s: write its value as JSON, [{...}], or open your editor with pointsman edit REPO", name)
		}
		return words(field, name, op, splitWords(text))
	default:
		return usagef("%s: write its fields, as owner.team=VALUE", name)
	}
	return nil
}

func fromJSON(field reflect.Value, name, op, text string) error {
	value := reflect.New(field.Type())
	if err := json.Unmarshal([]byte(text), value.Interface()); err != nil {
		return usagef("%s: its value is not the JSON that the field takes: %w", name, err)
	}
	if op == "=" {
		field.Set(value.Elem())
		return nil
	}
	list, _ := value.Elem().Interface().([]string)
	return words(field, name, op, list)
}

// words changes a list of words: each stands in it once.
func words(field reflect.Value, name, op string, list []string) error {
	now, _ := field.Interface().([]string)
	now = slices.Clone(now)
	if op == "=" {
		now = nil
	}
	for _, w := range list {
		at := slices.Index(now, w)
		switch {
		case op == "-=" && at < 0:
			return usagef("%s-=%s: it is not in the list, which holds %s", name, w, few(now, 8))
		case op == "-=":
			now = slices.Delete(now, at, at+1)
		case at < 0:
			now = append(now, w)
		}
	}
	field.Set(reflect.ValueOf(now))
	return nil
}

func splitWords(text string) []string {
	var out []string
	for w := range strings.SplitSeq(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// valueOf is what a patch says: nil, which removes, for what is empty; an empty
// list stays a list.
func valueOf(field reflect.Value) any {
	if field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.String {
		if list, ok := field.Interface().([]string); ok && list != nil {
			return list
		}
	}
	if field.IsZero() {
		return nil
	}
	return field.Interface()
}
