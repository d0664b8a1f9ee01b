package config

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pointsman/pointsman/bot"
)

const envPrefix = "POINTSMAN"

// applyEnv overrides cfg with the variables that name one of its keys:
// github.webhookSecret is POINTSMAN_GITHUB_WEBHOOKSECRET, the token of the first
// jira entry is POINTSMAN_JIRA_0_TOKEN. One that names no key is an error, as a
// misspelt key in the file is, unless a container platform has invented it.
func applyEnv(cfg *Config, environ []string) error {
	e := env{given: map[string]string{}, read: map[string]bool{}}
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if ok && strings.HasPrefix(name, envPrefix+"_") {
			e.given[name] = value
		}
	}
	if len(e.given) == 0 {
		return nil
	}
	if err := e.fields(reflect.ValueOf(cfg).Elem(), envPrefix); err != nil {
		return err
	}
	// What Kubernetes and Docker tell a container of services beside it.
	platform := regexp.MustCompile(`_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$|_PORT$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$`)
	for _, name := range slices.Sorted(maps.Keys(e.given)) {
		if !e.read[name] && !platform.MatchString(name) {
			return bot.Errorf(bot.CodeInvalid,
				"environment variable %s: names no key; see docs/configuration.md for the keys there are, or unset it", name)
		}
	}
	return nil
}

type env struct {
	given map[string]string
	read  map[string]bool
}

func (e env) fields(v reflect.Value, prefix string) error {
	for i := range v.NumField() {
		key := v.Type().Field(i).Tag.Get("yaml")
		if key == "-" {
			continue
		}
		if err := e.value(v.Field(i), prefix+"_"+strings.ToUpper(key)); err != nil {
			return err
		}
	}
	return nil
}

func (e env) value(v reflect.Value, name string) error {
	switch v.Kind() {
	case reflect.Struct:
		return e.fields(v, name)
	case reflect.Pointer:
		if v.IsNil() {
			if !e.names(v.Type().Elem(), name) {
				return nil
			}
			v.Set(reflect.New(v.Type().Elem()))
		}
		return e.fields(v.Elem(), name)
	case reflect.Slice:
		for i := 0; ; i++ {
			item := name + "_" + strconv.Itoa(i)
			if i == v.Len() {
				if !e.names(v.Type().Elem(), item) {
					return nil
				}
				v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			}
			if err := e.value(v.Index(i), item); err != nil {
				return err
			}
		}
	default:
		return e.leaf(v, name)
	}
}

// names reports whether any variable names the value at prefix, or a key of the
// section there.
func (e env) names(t reflect.Type, prefix string) bool {
	if t.Kind() != reflect.Struct {
		_, ok := e.given[prefix]
		return ok
	}
	for i := range t.NumField() {
		if _, ok := e.given[prefix+"_"+strings.ToUpper(t.Field(i).Tag.Get("yaml"))]; ok {
			return true
		}
	}
	return false
}

// leaf sets one value. Its errors never repeat the value: it may be a secret
// that was put under the wrong name.
func (e env) leaf(v reflect.Value, name string) error {
	text, ok := e.given[name]
	if !ok {
		return nil
	}
	e.read[name] = true
	if v.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		if err != nil {
			return bot.Errorf(bot.CodeInvalid, "environment variable %s: not a duration; write it as 20s or 2m", name)
		}
		v.SetInt(int64(d))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return bot.Errorf(bot.CodeInvalid, "environment variable %s: not a whole number", name)
		}
		v.SetInt(n)
	default:
		return bot.Errorf(bot.CodeInternal, "environment variable %s: no rule to read a %s", name, v.Kind())
	}
	return nil
}
