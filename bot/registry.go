package bot

// Push is that a branch now stands somewhere else.
type Push struct {
	Target        Target // the repository
	RepoID        int64  // the host's own; 0 = not told
	Branch        string
	Default       bool   // Branch is the repository's default one
	Before, After string // commits; After is all zeros for a branch that was deleted
}

// Pull is a pull request whose code is new: it was opened, or pushed to.
type Pull struct {
	Target  Target // the repository that it asks to change, and the number
	RepoID  int64  // the host's own; 0 = not told
	Branch  string // that it asks to change
	Default bool   // Branch is the repository's default one
	Base    string // commit of that branch, as far as the host has told
	Head    string // commit that is asked for; readable in the target repository, also when a fork has it
}

// The conclusions of a check.
const (
	CheckSuccess = "success"
	CheckNeutral = "neutral" // nothing is wrong, something is to be looked at
	CheckFailure = "failure"
)

// The levels of a remark.
const (
	RemarkNotice  = "notice"
	RemarkWarning = "warning"
	RemarkFailure = "failure"
)

// Check is what we conclude of a commit.
type Check struct {
	Target     Target // the repository
	Commit     string
	Name       string // what people see, and by which we find ours again, together with the author
	Mark       string // says what was checked: the same for the same content
	Conclusion string // CheckSuccess, CheckNeutral or CheckFailure
	Title      string // one line
	Summary    string // Markdown, escaped
	Remarks    []Remark
}

// Remark is one on a line of a file.
type Remark struct {
	Path  string
	Line  int    // from 1
	Level string // RemarkNotice, RemarkWarning or RemarkFailure
	Text  string
}
