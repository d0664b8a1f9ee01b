// Package catalog reads what repositories declare about themselves: CODEOWNERS
// and Backstage's catalog-info.yaml.
//
// It imports bot, routing, its YAML parser and the standard library. It never
// dials and never opens a file: it is given bytes.
package catalog
