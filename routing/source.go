package routing

import "errors"

// Head is the commit a branch points to.
type Head struct {
	Branch string // short name, "main"
	Commit string // 40 hex digits
}

// Document is one file of a repository at one commit.
type Document struct {
	Path string // slash-separated, relative to the repository's root
	Text []byte // valid only until the callback that received it returns
}

// Failure is something that could not be read or parsed: a blob, a file, or
// ("" as Path) a whole repository. What failed is listed, never passed over.
type Failure struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Found is a git repository that was come upon in a folder.
type Found struct {
	Name string // its folder's name without ".git"; the path below the searched folder where two have one name
	Dir  string // absolute path of the work tree's folder or of the bare repository
	Bare bool
}

// ErrEmpty says that a repository has no commits, so that there is nothing to read.
var ErrEmpty = errors.New("repository has no commits yet")
