package app

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/registry"
)

// book is what an organisation has written down: its registry, and its own routing
// tables where a file beside the registry holds some.
type book struct {
	reg    registry.Registry
	tables *rank.Tables // nil = the built-in ones alone
}

// pages are a book's bytes.
type pages struct {
	registry []byte
	tables   []byte // nil: there is no such file
}

// readTables reads the tables; nil data means none.
func readTables(file string, data []byte) (*rank.Tables, error) {
	if data == nil {
		return nil, nil //nolint:nilnil // the engine's word for the built-in ones alone
	}
	return rank.ParseTables(file, data)
}

// tablesBeside is the file of the tables that belong to a registry's.
func tablesBeside(file string) string { return filepath.Join(filepath.Dir(file), rank.TablesName) }

// pagesAt reads a registry file and the file of the tables; only the one beside the
// registry need not be there.
func pagesAt(file, tables string) (p pages, err error) {
	if p.registry, err = bot.ReadRegular(file, maxConfigFile); err != nil {
		return pages{}, err
	}
	p.tables, err = bot.ReadRegular(tables, rank.MaxTables)
	if errors.Is(err, fs.ErrNotExist) && tables == tablesBeside(file) {
		return pages{registry: p.registry}, nil
	}
	if err == nil && p.tables == nil {
		p.tables = []byte{}
	}
	return p, err
}
