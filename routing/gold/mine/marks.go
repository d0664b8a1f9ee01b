package mine

import (
	"regexp"
	"slices"
	"strings"
)

// The marks that commits can carry, in the order in which they speak when one
// commit has several. All of them take a commit out of the answer.
const (
	MarkMany     = "many"     // its message cites more tickets than a commit has reasons: a list of changes
	MarkMerge    = "merge"    // a merge: what it brought in stands for itself
	MarkBot      = "bot"      // written by a program
	MarkRevert   = "revert"   // takes another commit back
	MarkReverted = "reverted" // was taken back
	MarkRelease  = "release"  // sets versions
	MarkSync     = "sync"     // copies code or requirements from elsewhere
	MarkWeak     = "weak"     // only mentions the ticket
	MarkCopy     = "copy"     // history copied from another repository
	MarkMass     = "mass"     // changes more files than one ticket does
	MarkTests    = "tests"    // changes no source, but tests
	MarkDocs     = "docs"     // changes no source, but documents
	MarkOther    = "other"    // changes neither source, tests nor documents
	MarkUnread   = "unread"   // its changes could not be read
)

// marker knows the commits that say themselves that they are no answer.
type marker struct {
	bot, revert, release, sync *regexp.Regexp
	reverts                    *regexp.Regexp
	takesBack                  *regexp.Regexp // a revert behind a key; "PAY-3: revert PAY-2" is a ticket about reverting
	lead, tail                 *regexp.Regexp // what stands around the words of a title: keys, brackets, kinds of change
}

func newMarker() *marker {
	return &marker{
		bot: regexp.MustCompile(`(?i)\[bot\]|\b(?:dependabot|renovate|greenkeeper|snyk|weblate|jenkins|zuul|github-actions|pre-commit-ci)\b` +
			`|\b(?:bot|robot)$|^bot\b|\bproposal bot\b|-bot@|\bbot@`),
		revert: regexp.MustCompile(`(?i)^(?:revert(?:s|ed|ing)?\b|back(?:ed|ing) out\b|back out (?:commit|change|r?[0-9])|roll(?:ed|ing)? back\b)`),
		release: regexp.MustCompile(`(?i)^\[maven-release-plugin\]|^(?:prepar\w+ (?:for )?(?:the )?(?:next )?(?:release|development|version)` +
			`|(?:bump|set|update|updating|increment)\w* (?:the )?(?:project )?version\b` +
			`|bump \S+ (?:from \S+ )?to v?[0-9]|release v?[0-9][\w.]*\s*$|version v?[0-9][\w.]*\s*$|v?[0-9]+(?:\.[0-9]+)+\s*$)`),
		sync: regexp.MustCompile(`(?i)^updated? from (?:global )?requirements\b|^imported? translations?\b` +
			`|^(?:re-?)?sync(?:s|ed|ing|hroni[sz]ed?)?\b|^updat\w+ (?:.* )?from (?:oslo|common)\b|^(?:merge|update|sync) (?:latest )?(?:openstack[.-])?common\b`),
		reverts:   regexp.MustCompile(`(?i)\bThis reverts commit ([0-9a-f]{7,40})\b`),
		takesBack: regexp.MustCompile(`(?i)^(?:revert(?:s|ed|ing)?|back(?:ed|ing)? out|roll(?:ed|ing)? back):? (?:["'“]|(?:the )?commits?\b|r?[0-9]+\b|[0-9a-f]{7,40}\b)`),
		lead: regexp.MustCompile(`^(?:\[[^\[\]]{1,60}\]|\([^()]{1,60}\)|[A-Z][A-Z0-9_]+-[0-9]+\b|(?i:gh-|#|(?:bug|issue) ?#?)[0-9]+\b` +
			`|(?i:build|chore|ci|deps|feat|fix|maint|misc|perf|refactor|release|revert|style|test)(?:\([^()]{0,60}\))?!?:)[\s:;,.|/–—-]*`),
		tail: regexp.MustCompile(`(?:\s*[\[(](?:#[0-9]+|[A-Z][A-Z0-9_]+-[0-9]+)[\])])+\s*$`),
	}
}

// marks returns what title, message and author say of a commit.
func (m *marker) marks(name, email, title string, parents int) []string {
	var marks []string
	if parents > 1 {
		marks = append(marks, MarkMerge)
	}
	if m.bot.MatchString(name) || m.bot.MatchString(email) {
		marks = append(marks, MarkBot)
	}
	bare := m.bare(title)
	if m.revert.MatchString(title) || slices.ContainsFunc(bare, m.takesBack.MatchString) {
		marks = append(marks, MarkRevert)
	}
	if slices.ContainsFunc(bare, m.release.MatchString) {
		marks = append(marks, MarkRelease)
	}
	if m.sync.MatchString(title) {
		marks = append(marks, MarkSync)
	}
	return marks
}

// bare lists a title without the keys at its end, and without one more of what
// leads it each time: "[PAY-1] chore(deps): bump x", "chore(deps): bump x", "bump x".
func (m *marker) bare(title string) []string {
	const most = 5
	title = m.tail.ReplaceAllString(title, "")
	list := []string{title}
	for len(list) < most {
		lead := m.lead.FindString(title)
		if lead == "" {
			break
		}
		title = title[len(lead):]
		list = append(list, title)
	}
	return list
}

// reverted returns the start of the name of the commit that a message takes back,
// or the title of it; both "" when it does not say.
func (m *marker) reverted(message, title string) (hash, of string) {
	if found := m.reverts.FindStringSubmatch(message); found != nil {
		return strings.ToLower(found[1]), ""
	}
	for _, t := range m.bare(title) {
		if rest, ok := strings.CutPrefix(t, `Revert "`); ok {
			return "", strings.TrimSuffix(strings.TrimSpace(rest), `"`)
		}
	}
	return "", ""
}
