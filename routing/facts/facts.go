package facts

import "github.com/pointsman/pointsman/routing"

// MaxEach is how many facts of one kind are kept, the first in order.
const MaxEach = 500

// Place is where something was read.
type Place struct {
	Path string // slash-separated, relative to the repository's root
	Line int    // from 1; 0 when the file as a whole says it
}

// Endpoint is an address that the repository answers.
type Endpoint struct {
	Method    string // upper case; "" answers to any
	Path      string // "/users/{id}": prefixes resolved, parameters in braces
	Framework string
	At        Place
}

// Name is one word that code uses towards the outside: an event, a setting, an
// error code, a token's claim.
type Name struct {
	Value string
	How   string // what it was read from: "kafka", "nats", "process.env", "os.Getenv", ...
	At    Place  // the first place, by path and line
}

// Facts is what one commit says of its repository. Lists are sorted, hold
// nothing twice and at most MaxEach elements.
type Facts struct {
	Languages  []string // most files first, at most three
	Frameworks []string // direct dependencies, by the names people use
	Packages   []string // what the repository publishes: modules, artifacts; the highest in its tree first, at most 30
	Endpoints  []Endpoint
	Emits      []Name
	Consumes   []Name
	EnvVars    []Name
	Codes      []Name // HTTP status codes answered, and error codes of its own
	Requires   []Name // token claims that are read
	Issues     []Name // token claims that are set

	Readme     []byte // nil when absent, as Codeowners and Catalog
	Codeowners []byte
	Catalog    []byte
	Paths      []string // files of the commit

	// Failures lists what could not be read: never passed over.
	Failures []routing.Failure
}
