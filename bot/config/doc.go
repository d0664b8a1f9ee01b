// Package config reads pointsman.yml: defaults first, then the file, then the
// environment, then the secret files; every value is checked before anything
// starts, and the first thing wrong is one line that names file, line and key.
//
// It imports bot, the standard library and a YAML parser. It never opens a
// connection, and it never knows the rooms that its values are for.
package config
