package routing

import "time"

// Commit is one commit of a repository's history, as its author wrote it.
type Commit struct {
	Hash    string   // 40 hex digits
	Parents []string // 40 hex digits each; more than one for a merge

	AuthorName  string
	AuthorEmail string
	AuthoredAt  time.Time
	CommittedAt time.Time
	Message     string // valid UTF-8, lines end in "\n"; cut when it is very long

	// Branch is the short name of the first branch from which the commit can be
	// reached: the default branch before the others, those by name. "" when only
	// a tag reaches it.
	Branch  string
	Default bool // Branch is the default branch
}

// Change is what a commit changed against its first parent.
type Change struct {
	Commit string   // 40 hex digits
	Files  []string // slash-separated, sorted; added, changed and deleted ones
	Cut    bool     // there were more: Files holds the first of them only
}
