package config

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/pointsman/pointsman/bot"
)

const envPrefix = "POINTSMAN"

// applyEnv overrides cfg with the variables that name one of its keys:
// github.webhookSecret is POINTSMAN_GITHUB_WEBHOOKSECRET, the token of the first
// jira entry is POINTSMAN_JIRA_0_TOKEN. Variables that name no key are left
// alone, because platforms invent some of the same prefix.
func applyEnv(cfg *Config, environ []string) error {
	e := env{}
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if ok && strings.HasPrefix(name, envPrefix+"_") {
			e[name] = value
		}
	}
	if len(e) == 0 {
		return nil
	}
	return e.fields(reflect.ValueOf(cfg).Elem(), envPrefix)
}

type env map[string]string

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
			if err := e.fields(v.Index(i), item); err != nil {
				return err
			}
		}
	default:
		return e.leaf(v, name)
	}
}

// names reports whether any variable names a key of the section t at prefix.
func (e env) names(t reflect.Type, prefix string) bool {
	for i := range t.NumField() {
		if _, ok := e[prefix+"_"+strings.ToUpper(t.Field(i).Tag.Get("yaml"))]; ok {
			return true
		}
	}
	return false
}

// leaf sets one value. Its errors never repeat the value: it may be a secret
// that was put under the wrong name.
func (e env) leaf(v reflect.Value, name string) error {
	text, ok := e[name]
	if !ok {
		return nil
	}
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
