package registry

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Generated is the DescriptionSource of a description that no person has edited.
const Generated = "generated"

// Facts is what can be seen of a repository without asking anybody.
type Facts struct {
	Name   string
	Dir    string   // absolute path of its git data
	Readme []byte   // nil when it has none
	Paths  []string // files of its current commit, slash-separated
}

// Draft makes an entry out of facts. The description is what the README says
// first, flagged generated; without a README there is none, since an invented one
// would only look like knowledge.
func Draft(f Facts) routing.Repo {
	repo := routing.Repo{Name: f.Name, Dir: f.Dir, Languages: Languages(f.Paths)}
	if text := Prose(f.Readme); text != "" {
		repo.Description, repo.DescriptionSource = text, Generated
	}
	return repo
}

// IsReadme tells whether the path is a README at the root of a repository that
// Draft can read.
func IsReadme(p string) bool {
	switch strings.ToLower(p) {
	case "readme", "readme.md", "readme.markdown", "readme.rst", "readme.txt", "readme.adoc", "readme.asciidoc":
		return true
	}
	return false
}

// BetterReadme orders the READMEs of one repository: Markdown first, then by name.
func BetterReadme(a, b string) int {
	return cmp.Or(cmp.Compare(preference(a), preference(b)), cmp.Compare(a, b))
}

func preference(name string) int {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return 0
	case ".rst", ".adoc", ".asciidoc":
		return 1
	default:
		return 2
	}
}

const (
	maxLanguages = 3
	// minShare is the least part of the source files, in percent, that makes a
	// language one of the repository's.
	minShare = 10
)

// Languages names the at most three languages that most source files among the
// paths are written in, the commonest first.
func Languages(paths []string) []string {
	endings := languageEndings()
	count, total := map[string]int{}, 0
	for _, p := range paths {
		if language, ok := endings[strings.ToLower(path.Ext(p))]; ok {
			count[language]++
			total++
		}
	}
	var names []string
	for name, n := range count {
		if n*100 >= total*minShare {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	return names[:min(len(names), maxLanguages)]
}

func languageEndings() map[string]string {
	byLanguage := map[string]string{
		"C": ".c", "C++": ".cc .cpp .cxx .hpp .hh", "C#": ".cs", "Clojure": ".clj .cljs", "Dart": ".dart",
		"Elixir": ".ex .exs", "Erlang": ".erl", "F#": ".fs", "Go": ".go", "Groovy": ".groovy", "Haskell": ".hs",
		"Java": ".java", "JavaScript": ".js .jsx .mjs .cjs", "Julia": ".jl", "Kotlin": ".kt .kts", "Lua": ".lua",
		"Objective-C": ".m .mm", "OCaml": ".ml", "Perl": ".pl .pm", "PHP": ".php", "PowerShell": ".ps1",
		"Python": ".py", "R": ".r", "Ruby": ".rb", "Rust": ".rs", "Scala": ".scala", "Shell": ".sh .bash",
		"SQL": ".sql", "Swift": ".swift", "Terraform": ".tf", "TypeScript": ".ts .tsx", "Vue": ".vue",
	}
	endings := map[string]string{}
	for language, list := range byLanguage {
		for e := range strings.FieldsSeq(list) {
			endings[e] = language
		}
	}
	return endings
}
