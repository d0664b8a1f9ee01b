package catalog

// Declared is what a repository says of itself.
type Declared struct {
	Team                                      string
	Owners, DependsOn, ProvidesTo, Components []string
	Description, Title, Lifecycle, System     string
	Names                                     []string // names the catalog calls it by
	Archived                                  bool     // no longer kept: lifecycle deprecated, retired or archived
	FiledIn                                   []string // tracker projects whose tickets belong here
	Tags                                      []string
}

// Rule is one line of a CODEOWNERS file.
type Rule struct {
	Pattern string
	Owners  []string // as written: "@user", "@org/team", "name@example.com"
	Section string   // "" outside of one
	Line    int
}
