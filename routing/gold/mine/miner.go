package mine

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/text"
)

// Options say what counts. The zero value of a number means its default.
type Options struct {
	Projects   []string // Jira projects whose keys count; none: those that occur often
	Trackers   []string // kinds of trackers whose tickets count; none: all
	MinTickets int      // tickets from which a project is learnt; default 5
	MaxKeys    int      // most tickets a message may cite; default 3
	MaxFiles   int      // most files one commit may change; default 100
	MaxRepos   int      // most repositories of one answer; default 8
	Copied     []string // folders that hold copies of code that lives elsewhere
	Related    bool     // count commits that only mention a ticket
	Pulls      bool     // count pull requests as tickets
	AnyFile    bool     // count commits that change no source, but other files
	OnlyTexts  bool     // leave out tickets whose own text is not known
	Since      time.Time
	Until      time.Time // exclusive
	MinWords   int       // fewest words of a ticket's text, references not counted
	PerRepo    int       // most cases with one and the same single repository; 0: all
	Sample     int       // most cases; 0: all
	SetsFirst  bool      // a sample holds all cases of several repositories before the others
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value *int
		std   int
	}{{&o.MinTickets, 5}, {&o.MaxKeys, 3}, {&o.MaxFiles, 100}, {&o.MaxRepos, 8}} {
		if *d.value == 0 {
			*d.value = d.std
		}
	}
	return o
}

// Ticket is the text of a ticket as its tracker has it.
type Ticket struct {
	Title, Body, Created string
	Listed               string // as gold.Text has it

	place string // owner/name of an issue that was listed
}

// Miner links commits to tickets: histories first, then Link, then changes, then
// Cases. docs/gold.md explains the rules.
type Miner struct {
	options Options
	names   Names
	marker  *marker
	paths   *paths
	tickets map[string]Ticket // by key
	places  map[string]string // repository as in keys, to owner/name of which issues were listed
}

// New returns a Miner of the repositories that names leads to. tickets holds the
// texts that are known, by key as Ref has it; it may be nil.
func New(o Options, names Names, tickets map[string]Ticket) *Miner {
	places := map[string]string{}
	for key, t := range tickets {
		if t.Listed != "" && t.place != "" {
			repo, _, _ := strings.Cut(key, "#")
			places[repo] = t.place
		}
	}
	return &Miner{options: o.withDefaults(), names: names, marker: newMarker(), paths: newPaths(o.Copied), tickets: tickets, places: places}
}

// id is what a ticket is called in the gold: as its tracker calls it, where that
// was asked for tickets of the same place.
func (m *Miner) id(key string) string {
	repo, n, ok := strings.Cut(key, "#")
	if place := m.places[repo]; ok && place != "" {
		return place + "#" + n
	}
	return key
}

// History returns an empty history of a repository, to be filled and linked.
func (m *Miner) History(repo string) *History {
	return &History{repo: repo, names: m.names, marker: m.marker}
}

// Links are the commits of all repositories with the tickets they count for.
type Links struct {
	miner     *Miner
	histories []*History
	places    []map[string]int32 // by history, hash to commit
	projects  map[string]bool
	learnt    []Project
	owners    owners
}

// Project is a Jira project and the tickets of it that are cited.
type Project struct {
	Key     string `json:"key"`
	Tickets int    `json:"tickets"`
}

// Link gives every commit the ticket it counts for.
func (m *Miner) Link(histories []*History) *Links {
	sorted := append([]*History(nil), histories...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].repo < sorted[j].repo })
	l := &Links{miner: m, histories: sorted}
	l.learn()
	for _, h := range sorted {
		places := make(map[string]int32, len(h.commits))
		for i := range h.commits {
			places[h.commits[i].hash] = int32(i)
			l.choose(&h.commits[i])
		}
		l.places = append(l.places, places)
		l.merges(h, places)
		l.branches(h)
		reverts(h, places)
	}
	l.owners = findOwners(sorted)
	return l
}

// learn decides which words are Jira projects.
func (l *Links) learn() {
	tickets := map[string]map[string]bool{}
	for _, h := range l.histories {
		for i := range h.commits {
			for _, r := range h.commits[i].refs {
				if r.Tracker != TrackerJira {
					continue
				}
				word := project(r.Key)
				if tickets[word] == nil {
					tickets[word] = map[string]bool{}
				}
				tickets[word][r.Key] = true
			}
		}
	}
	allowed := map[string]bool{}
	for _, p := range l.miner.options.Projects {
		allowed[strings.ToUpper(strings.TrimSpace(p))] = true
	}
	if len(allowed) == 0 {
		cleaner := text.NewCleaner()
		for word, keys := range tickets {
			standard := cleaner.Keys([]byte(word+"-1"), 1) == 0
			if len(keys) >= l.miner.options.MinTickets && !standard {
				allowed[word] = true
			}
		}
		for key := range l.miner.tickets {
			if word := project(key); word != "" {
				allowed[word] = true
			}
		}
	}
	l.projects = allowed
	for word := range allowed {
		l.learnt = append(l.learnt, Project{word, len(tickets[word])})
	}
	sort.Slice(l.learnt, func(i, j int) bool {
		a, b := l.learnt[i], l.learnt[j]
		return a.Tickets > b.Tickets || a.Tickets == b.Tickets && a.Key < b.Key
	})
}

// project returns PROJ of PROJ-12; "" of other keys.
func project(key string) string {
	word, _, ok := strings.Cut(key, "-")
	if !ok || !projectKey(word) {
		return ""
	}
	return word
}

// choose applies the rules of the message: at most so many keys, the first of
// those of the best standing.
func (l *Links) choose(c *commit) {
	first, cited := l.first(c.refs)
	c.ref = first
	if cited > l.miner.options.MaxKeys {
		c.mark(MarkMany)
	}
	if first != nil && first.Rule == RuleRelated && !l.miner.options.Related {
		c.mark(MarkWeak)
	}
}

// first returns the reference that is heard, and how many tickets are cited.
func (l *Links) first(refs []Ref) (*Ref, int) {
	var first *Ref
	cited := 0
	for i := range refs {
		r := &refs[i]
		_, known := l.miner.tickets[r.Key]
		if o := l.miner.options.Trackers; len(o) > 0 && !slices.Contains(o, r.Tracker) {
			continue
		}
		if r.Tracker == TrackerJira && !l.projects[project(r.Key)] || r.Rule == RulePull && !known && !l.miner.options.Pulls || r.Rule == RuleVague && !known {
			continue
		}
		if r.Rule != RulePull {
			cited++
		}
		if first == nil || standing(*r) < standing(*first) {
			first = r
		}
	}
	return first, cited
}

// Wanted lists the commits of a repository whose changes decide, newest first.
func (l *Links) Wanted(repo string) []string {
	var hashes []string
	for _, h := range l.histories {
		if h.repo != repo {
			continue
		}
		for i := range h.commits {
			if c := &h.commits[i]; c.ref != nil && len(c.marks) == 0 {
				hashes = append(hashes, c.hash)
			}
		}
	}
	return hashes
}

// MaxFiles is the number of changed files beyond which a commit is a mass change.
func (l *Links) MaxFiles() int { return l.miner.options.MaxFiles }

// Change takes what a wanted commit changed. It may be called for different
// repositories at the same time.
func (l *Links) Change(repo string, change routing.Change) {
	at := sort.Search(len(l.histories), func(i int) bool { return l.histories[i].repo >= repo })
	if at == len(l.histories) || l.histories[at].repo != repo {
		return
	}
	place, ok := l.places[at][change.Commit]
	if !ok {
		return
	}
	c := &l.histories[at].commits[place]
	c.seen = true
	c.isMass = change.Cut || len(change.Files) > l.miner.options.MaxFiles
	for _, f := range change.Files {
		kind := l.miner.paths.kind(f)
		c.kinds[kind]++
		if kind == kindSource || kind == kindOther && l.miner.options.AnyFile {
			c.files = append(c.files, f)
		}
	}
}
