package comment

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"text/template"

	"github.com/pointsman/pointsman/routing"
)

// The systems that comments are written for.
const (
	GitHub = "github"
	Jira   = "jira"
)

const (
	defaultShow = 3
	maxShow     = 10

	// The hosts refuse more than 65,536 and 32,767 characters. These are bytes, so
	// they hold however a host counts.
	maxGitHub = 60_000
	maxJira   = 30_000
)

//go:embed github.tmpl
var githubTemplate string

//go:embed jira.tmpl
var jiraTemplate string

// Options are the reader's wishes. The zero value shows three places.
type Options struct {
	Show   int    // places to show: 1 to 10, 0 = 3; a tie across the cut is shown whole
	Tenant string // the site of the ticket, where a system has several
}

// Render writes the comment on a decision, and the marker by which it is found
// again: a part of the body, the same for every version of a ticket. Any system
// but Jira gets Markdown. The first line always holds "Likely repositories".
func Render(system string, d routing.Decision, o Options) (body, marker string) {
	marker = Marker(system, o.Tenant, d.Ticket.Key)
	w, text, limit := writer(markdown{}), githubTemplate, maxGitHub
	if system == Jira {
		w, text, limit = wiki{}, jiraTemplate, maxJira
	}
	// The templates are part of the program, and their goldens hold them.
	tmpl := template.Must(template.New(system).Parse(text))
	show := o.Show
	if show <= 0 {
		show = defaultShow
	}
	show = min(show, maxShow)
	for _, size := range []size{{show, true}, {show, false}, {min(show, defaultShow), false}, {1, false}} {
		v := look(w, d, size)
		v.Marker = marker
		var b bytes.Buffer
		_ = tmpl.Execute(&b, v) // strings into memory: it cannot fail
		body = strings.ReplaceAll(strings.TrimSpace(b.String()), "\n\n\n", "\n\n") + "\n"
		if len(body) <= limit {
			break
		}
	}
	return body, marker
}

// Marker is the hidden text that names a ticket in our comment on it. A hash, so
// that nothing of the ticket can close it.
func Marker(system, tenant, key string) string {
	sum := sha256.Sum256([]byte(system + "\x00" + tenant + "\x00" + key))
	hash := hex.EncodeToString(sum[:8])
	if system == Jira {
		return "{anchor:pointsman-" + hash + "}"
	}
	return "<!-- pointsman:v1 ticket=" + hash + " -->"
}
