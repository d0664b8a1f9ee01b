package routing

// Repo is one entry of the registry: what a repository is, in the words of the
// people who own it. The JSON names are those of registry.json (version 1 of
// RepoOrch, and Pointsman's optional additions below them).
type Repo struct {
	Name       string   `json:"name"`
	Path       string   `json:"path,omitempty"`
	Owns       []string `json:"owns,omitempty"`
	Endpoints  []string `json:"endpoints,omitempty"`
	Emits      []string `json:"emits,omitempty"`
	Consumes   []string `json:"consumes,omitempty"`
	Languages  []string `json:"languages,omitempty"`
	Frameworks []string `json:"frameworks,omitempty"`
	DependsOn  []string `json:"dependsOn,omitempty"`
	ProvidesTo []string `json:"providesTo,omitempty"`

	Owner           Owner           `json:"owner,omitzero"`
	ErrorContracts  ErrorContracts  `json:"errorContracts,omitzero"`
	AuthContracts   AuthContracts   `json:"authContracts,omitzero"`
	ConfigContracts ConfigContracts `json:"configContracts,omitzero"`

	AgentType   string `json:"agentType,omitempty"`
	AgentFile   string `json:"agentFile,omitempty"`
	ContextFile string `json:"contextFile,omitempty"`

	APIVersion  string   `json:"apiVersion,omitempty"`
	Deprecates  []string `json:"deprecates,omitempty"`  // versions of its own API, never repositories
	Fingerprint string   `json:"fingerprint,omitempty"` // "sha256:..." of what was last read of the code
	LastIndexed string   `json:"lastIndexed,omitempty"` // RFC 3339
	UserEdited  bool     `json:"userEdited,omitempty"`
	Drafted     string   `json:"drafted,omitempty"` // "sha256:..." of the drafted fields as they were written

	ID                any       `json:"id,omitempty"` // number or string: the host's own id, which survives renames
	Host              string    `json:"host,omitempty"`
	CloneURL          string    `json:"cloneURL,omitempty"`
	DefaultBranch     string    `json:"defaultBranch,omitempty"`
	Archived          bool      `json:"archived,omitempty"`
	Aliases           []string  `json:"aliases,omitempty"`
	Visibility        string    `json:"visibility,omitempty"`
	Audience          []string  `json:"audience,omitempty"`
	SlackChannel      string    `json:"slackChannel,omitempty"`
	Description       string    `json:"description,omitempty"`
	DescriptionSource string    `json:"descriptionSource,omitempty"` // "human" or "generated"
	Siblings          []Sibling `json:"siblings,omitempty"`
	Components        []string  `json:"components,omitempty"`
	Labels            []string  `json:"labels,omitempty"`
	Hosts             []string  `json:"hosts,omitempty"`
	Packages          []string  `json:"packages,omitempty"`
	FiledIn           []string  `json:"filedIn,omitempty"`
	Screens           string    `json:"screens,omitempty"`
	Owners            []string  `json:"owners,omitempty"`

	// Dir is where the repository's git data was found on this machine: an
	// absolute path, or "" when it was not. It is never read from or written to a
	// registry.
	Dir string `json:"-"`
}

// Owner says whom to ask.
type Owner struct {
	Team    string `json:"team,omitempty"`
	Contact string `json:"contact,omitempty"`
	Oncall  string `json:"oncall,omitempty"`
}

// ErrorContracts lists the status codes a repository answers with, as
// "401 token expired".
type ErrorContracts struct {
	Codes []string `json:"codes,omitempty"`
}

// AuthContracts lists the token claims a repository requires and issues.
type AuthContracts struct {
	Requires []string `json:"requires,omitempty"`
	Issues   []string `json:"issues,omitempty"`
	Scopes   []string `json:"scopes,omitempty"`
}

// ConfigContracts lists the settings a repository reads.
type ConfigContracts struct {
	EnvVars      []string `json:"envVars,omitempty"`
	FeatureFlags []string `json:"featureFlags,omitempty"`
}

// Sibling declares that another repository reads like this one, and what would
// tell the two apart. The relation is symmetric: declared once, it holds for both.
type Sibling struct {
	Repo     string `json:"repo"`
	Relation string `json:"relation,omitempty"` // replaces, replacedBy, variant, fork
	Tell     []Tell `json:"tell,omitempty"`
}

// Tell is a question whose answer separates siblings, and the marks by which a
// ticket already answers it. A match favours the repository whose entry holds it.
type Tell struct {
	Ask     string `json:"ask,omitempty"`
	Matches Match  `json:"matches,omitzero"`
}

// Match lists the marks of a Tell. Any one of them is enough.
type Match struct {
	Hosts          []string `json:"hosts,omitempty"`
	Words          []string `json:"words,omitempty"`
	Labels         []string `json:"labels,omitempty"`
	Components     []string `json:"components,omitempty"`
	Environment    []string `json:"environment,omitempty"`
	ReporterGroups []string `json:"reporterGroups,omitempty"`
}
