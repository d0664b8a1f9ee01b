package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/pointsman/pointsman/bot"
)

// decode reads exactly one YAML document into cfg, on top of what it holds.
func decode(file string, data []byte, cfg *Config) error {
	if m := misfits(data, reflect.TypeOf(*cfg)); m != nil {
		return bot.Errorf(bot.CodeInvalid, "%s:%d: %s: %s", file, m.line, m.key, m.want)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	if err := dec.Decode(cfg); err != nil {
		if errors.Is(err, io.EOF) {
			return nil // an empty file: the environment may hold everything
		}
		return decodeError(file, err)
	}
	var more any
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return bot.Errorf(bot.CodeInvalid, "%s: holds more than one YAML document; keep one", file)
	}
	return nil
}

// decodeError turns the parser's picture of an error into one line.
func decodeError(file string, err error) error {
	where, what := file, firstLine(err.Error())
	if strings.HasSuffix(what, "Unmarshaler") { // an alias of something with keys
		what = "a secret is not plain text"
	}
	var at yaml.Error
	if errors.As(err, &at) {
		what = firstLine(at.GetMessage())
		if tk := at.GetToken(); tk != nil && tk.Position != nil {
			where = fmt.Sprintf("%s:%d", file, tk.Position.Line)
		}
	}
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) && unknown.Token != nil {
		what = fmt.Sprintf("unknown key %q; see docs/configuration.md for the keys there are", unknown.Token.Value)
	}
	return bot.Errorf(bot.CodeInvalid, "%s: %s", where, what)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
