package demo

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing/registry"
)

func loadSample(t *testing.T) Sample {
	t.Helper()
	s, err := LoadSample()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSampleIsWhatItClaims(t *testing.T) {
	t.Parallel()
	s := loadSample(t)
	if len(s.Repos) != 8 || len(s.Tickets) != 6 {
		t.Fatalf("%d repositories and %d tickets, want 8 and 6", len(s.Repos), len(s.Tickets))
	}
	reg, err := registry.Parse("registry.json", s.Registry)
	if err != nil {
		t.Fatal(err)
	}
	if len(reg.Warnings) > 0 {
		t.Errorf("the registry has warnings: %q", reg.Warnings)
	}
	for _, r := range reg.Repos {
		if s.Repos[r.Name]["README.md"] == "" {
			t.Errorf("%s is registered, but has no README", r.Name)
		}
	}
	if len(reg.Repos) != len(s.Repos) {
		t.Errorf("%d registered of %d", len(reg.Repos), len(s.Repos))
	}
	systems := map[string]int{}
	for _, tk := range s.Tickets {
		systems[tk.System]++
		if s.Repos[tk.Answer] == nil || tk.Because == "" || tk.Title == "" || tk.Body == "" {
			t.Errorf("%q: answer %q, because %q", tk.Title, tk.Answer, tk.Because)
		}
	}
	if systems["github"] != 3 || systems["jira"] != 3 {
		t.Errorf("systems = %v, want three tickets on each", systems)
	}
}

func TestSampleCommitsAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	s := loadSample(t)
	var heads [2][]byte
	for i := range heads {
		dir := t.TempDir()
		if _, err := s.Write(dir); err != nil {
			t.Fatal(err)
		}
		heads[i] = readFile(t, dir, "wherry-web", ".git", "refs", "heads", "main")
	}
	if !bytes.Equal(heads[0], heads[1]) {
		t.Errorf("commits %s and %s differ", heads[0], heads[1])
	}
}

// A ticket that names a class or a file routes itself. These must be found by what
// they say: no word of a ticket is an identifier of its answer, whole words such as
// variables and methods included. Only the words of grammar, which are keywords in
// one language or another, may coincide.
func TestTicketsShareNoIdentifierWithTheirAnswer(t *testing.T) {
	t.Parallel()
	s := loadSample(t)
	for _, tk := range s.Tickets {
		said := wordsOf(tk.Title + "\n" + tk.Body)
		for _, id := range s.identifiers(tk.Answer) {
			if slices.Contains(said, id) && !isGrammar(id) {
				t.Errorf("%q says %q, an identifier of %s", tk.Title, id, tk.Answer)
			}
		}
	}
}

// The check above must see what is there to be seen.
func TestIdentifiersAreSeen(t *testing.T) {
	t.Parallel()
	s := loadSample(t)
	want := map[string][]string{
		"wherry-web": {"wherry-web", "bookingdraft", "draftreducer", "usenavigate", "traveller", "pages"},
		"gangway":    {"ticketscanner", "judgeasync", "manifest", "example.saltmarsh.gangway"},
		"ketch":      {"invoicepdfwriter", "rows_per_page", "freight", "spring-boot-starter-thymeleaf"},
		"tidepipe":   {"quay_time", "local_clock", "departs_utc"},
		"purser":     {"refundworker", "refund_worker", "payout"},
		"semaphore":  {"quiet_hours", "dispatch_postponed", "wording"},
	}
	for repo, ids := range want {
		got := s.identifiers(repo)
		for _, id := range ids {
			if !slices.Contains(got, id) {
				t.Errorf("%s: identifier %q was not seen", repo, id)
			}
		}
	}
	if got := wordsOf("the draftReducer in booking-draft.ts"); !slices.Contains(got, "draftreducer") || !slices.Contains(got, "booking-draft.ts") {
		t.Errorf("words = %q", got)
	}
}

// identifiers returns, in lower case, every name in a repository's code (comments
// and literals aside), every identifier-like token of its README and its literals,
// and the names of the repository, its folders and files.
func (s Sample) identifiers(repo string) []string {
	ids := []string{repo}
	literal := regexp.MustCompile("\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`[^`]*`")
	comment := regexp.MustCompile(`(?s)""".*?"""|/\*.*?\*/|<!--.*?-->|(?m:(?:^|\s)(?://|#(?:\s|$)).*?$)`)
	shown := regexp.MustCompile(`>[^<>{}=;()$]*<`) // what a page shows between its tags
	name := regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	for file, text := range s.Repos[repo] {
		for part := range strings.SplitSeq(file, "/") {
			ids = append(ids, part, strings.TrimSuffix(part, path.Ext(part)))
		}
		ids = append(ids, looksLikeIdentifier(text)...)
		switch path.Ext(file) {
		case ".md":
			continue
		case ".erb":
			text = strings.Join(regexp.MustCompile(`<%.*?%>`).FindAllString(text, -1), " ")
		case ".html", ".tsx":
			text = shown.ReplaceAllString(text, "><")
		}
		code := literal.ReplaceAllString(comment.ReplaceAllString(text, " "), " ")
		ids = append(ids, name.FindAllString(code, -1)...)
	}
	for i := range ids {
		ids[i] = strings.ToLower(ids[i])
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// looksLikeIdentifier finds camelCase, snake_case, kebab-case and dotted names in
// any text.
func looksLikeIdentifier(text string) []string {
	return regexp.MustCompile(`[A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)+|[A-Za-z]+[a-z][A-Z][A-Za-z0-9]*|[A-Za-z]*[A-Z][A-Z][a-z][A-Za-z0-9]*`).FindAllString(text, -1)
}

// wordsOf returns the words of a ticket, whole and in parts, in lower case.
func wordsOf(text string) []string {
	text = strings.ToLower(text)
	words := regexp.MustCompile(`[a-z0-9_]+(?:[-.][a-z0-9_]+)*`).FindAllString(text, -1)
	return append(words, regexp.MustCompile(`[a-z0-9_]+`).FindAllString(text, -1)...)
}

func isGrammar(word string) bool {
	return slices.Contains([]string{
		"a", "and", "as", "at", "be", "by", "do", "for", "from", "i", "in", "is", "it", "no", "not", "of", "on", "only",
		"or", "s", "t", "that", "the", "then", "to", "type", "unless", "until", "was", "we", "with",
	}, word)
}
