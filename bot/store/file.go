package store

import "path/filepath"

// WithFile gives the database another name than FileName, for one that must not
// be taken for the service's own.
func WithFile(name string) Option {
	return func(s *Store) { s.path = filepath.Join(filepath.Dir(s.path), name) }
}
