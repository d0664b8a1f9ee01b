// Package endpoints reads the HTTP routes, remote calls, GraphQL fields and events
// that a repository serves off the text of its files. It runs nothing and resolves
// no module: a route is found where the frameworks' own words declare it, and its
// prefix is put together from what the files of the same repository say.
//
// There is one reader per ecosystem. Each looks at a file once, keeps what it needs
// of it (never the text), and puts the parts together at the end, because prefixes
// cross files: a router is made in one file and mounted in another.
//
// A path that is not known at the time of reading is left out: the readers would
// rather miss a route than make one up. Clients' calls and tests are no routes.
//
// It imports the standard library and pure parsers. It never touches a file, the
// network or another room, never logs, and never panics on odd bytes: a file that
// cannot be read has no endpoints.
package endpoints
