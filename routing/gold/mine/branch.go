package mine

import (
	"strings"
)

// branchRefs finds the tickets that the name of a branch cites: PROJ-12-fix,
// feature/proj-12, bug/1234567, issue-12, gh-12.
func branchRefs(branch, repo string, projects map[string]bool) []Ref {
	var refs []Ref
	words := strings.FieldsFunc(branch, func(r rune) bool { return r == '/' || r == '-' || r == '_' || r == '.' || r == '+' || r == '#' })
	for i := 1; i < len(words); i++ {
		n := strings.TrimLeft(words[i], "0")
		if n == "" || len(n) > maxDigits || strings.Trim(n, "0123456789") != "" {
			continue
		}
		switch word := strings.ToUpper(words[i-1]); {
		case projects[word]:
			refs = append(refs, Ref{word + "-" + n, TrackerJira, RuleBranch, branch})
		case word == "BUG" && len(n) >= minBugDigits:
			refs = append(refs, Ref{"bug#" + n, TrackerBugs, RuleBranch, branch})
		case word == "ISSUE" || word == "ISSUES" || word == "GH" || word == "FIX":
			refs = append(refs, Ref{repo + "#" + n, TrackerIssues, RuleBranch, branch})
		}
	}
	return refs
}

// mergedBranch reads the name of the branch that a merge brought in: from the
// message that git, GitHub, GitLab or Bitbucket write. body is what may be said
// of that branch below the first line. What was merged *into* says nothing.
func mergedBranch(message string) (branch, body string, ok bool) {
	title, rest, _ := strings.Cut(message, "\n")
	for _, form := range []string{"Merge branch '", "Merge remote-tracking branch '", "Merge remote branch '", "Merge commit '"} {
		if after, found := strings.CutPrefix(title, form); found {
			branch, _, _ = strings.Cut(after, "'")
			return branch, "", true
		}
	}
	if after, found := strings.CutPrefix(title, "Merge pull request #"); found {
		_, branch, found = strings.Cut(after, " from ")
		if _, short, deep := strings.Cut(branch, "/"); deep {
			branch = short // the name of the fork's owner
		}
		return branch, rest, found
	}
	if after, found := strings.CutPrefix(title, "Merged in "); found {
		branch, _, _ = strings.Cut(after, " (pull request")
		return branch, rest, true
	}
	return "", "", false
}
