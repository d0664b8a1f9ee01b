package bot

import (
	"net/http"
	"time"

	"github.com/pointsman/pointsman/routing"
)

// Delivery is one signed webhook request as it came in. It is saved before it
// is understood, so that nothing is lost to a parser.
type Delivery struct {
	Source     string // "github" or "jira"
	Tenant     string // "" for github; the tenant of the path for jira
	ID         string // the sender's own id; unique within Source and Tenant
	Kind       string // the sender's event name: "issues", "jira:issue_created"
	Body       []byte // exactly the bytes that were signed
	ReceivedAt time.Time
}

// Event is what a delivery turned out to mean.
type Event struct {
	// Ignore is a person's-words reason to do nothing; "" means that there is a ticket
	// to be routed, or a push or a pull request to be looked at.
	Ignore string
	Push   *Push // not nil: no ticket
	Pull   *Pull // not nil: no ticket
	Ticket routing.Ticket
	// Target says where a reply to the ticket goes.
	Target Target
}

// Target addresses a ticket for its adapter. It is stored with the ticket, so it
// holds ids, never credentials.
type Target struct {
	System       string `json:"system"` // "github" or "jira"
	Tenant       string `json:"tenant"`
	Installation int64  `json:"installation,omitempty"` // github App installation; 0 = not told
	Repo         string `json:"repo,omitempty"`         // github "owner/name"
	Number       int    `json:"number,omitempty"`       // github issue number
	Key          string `json:"key,omitempty"`          // jira issue key
	Internal     bool   `json:"internal,omitempty"`     // jira service desk: customers must not see the reply
}

// Reply is one comment to be put on a ticket, or brought up to date there.
type Reply struct {
	Target    Target
	Marker    string // the hidden text by which we find our comment again
	Body      string // rendered in the system's own markup; it contains Marker
	CommentID string // where the store believes the comment to be; "" = never said
}

// Said is what became of a Reply.
type Said struct {
	CommentID string
	URL       string
	Unchanged bool // the comment already read exactly so
}

// Verifier is what intake needs of an adapter: to prove a request genuine before
// a byte of it is parsed, and to name the delivery.
type Verifier interface {
	// Verify checks the signature in constant time over the raw body, and returns
	// the delivery's id and kind from the headers. A bad or missing signature is
	// an *Error with code CodeUnauthorized; a request without an id or event name
	// has code CodeInvalid.
	Verify(h http.Header, body []byte) (id, kind string, err error)
}

// Parser turns a stored delivery into an event. It is pure: the same delivery
// always means the same. Junk is an *Error with code CodeInvalid.
type Parser interface {
	Parse(d Delivery) (Event, error)
}
