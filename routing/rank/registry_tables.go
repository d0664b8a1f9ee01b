package rank

import "strings"

// The tables of the routing document: a ticket's word, and what it is also tried
// as. They are written as text, one row a line, so that they read as tables.

const routingStopWords = `the a an is was were are be been being has have had do does did will would could should may might must can cannot`

// "be" is a stop word as well, so that its row never fires.
const acronymTable = `
auth: authentication authorization
authn: authentication
authz: authorization
jwt: token auth
rbac: roles permissions authorization
acl: permissions access
sso: authentication identity
idp: identity authentication
mfa: authentication security
2fa: authentication security
api: endpoint service
cdn: cache static assets
db: database persistence
pg: postgres database
k8s: kubernetes infra deploy
ci: build pipeline
cd: deploy pipeline
sla: availability latency
ux: frontend ui
ui: frontend
fe: frontend
be: backend
ws: websocket
grpc: rpc service
`

const synonymTable = `
login: auth authentication session
signup: registration users identity
logout: session auth token
forgot password: auth email reset
401: auth token jwt
403: authorization rbac permissions
404: routing endpoint
500: error stability
token: jwt auth session
checkout: payments cart orders
invoice: billing payments finance
email: notifications messaging
push notification: notifications messaging
webhook: events integration
rate limit: throttling quota
slow: latency performance
memory: infrastructure performance
crash: stability error
deploy: infra ci cd
`

// expansion is one row of a table.
type expansion struct {
	key []string // words that stand in a row in the ticket
	to  []string
}

func parseTable(table string) []expansion {
	var out []expansion
	for line := range strings.Lines(table) {
		key, to, ok := strings.Cut(strings.TrimSpace(line), ":")
		if ok {
			out = append(out, expansion{strings.Fields(key), strings.Fields(to)})
		}
	}
	return out
}

// expanded is a word that the ticket does not say, and the one it says instead.
type expanded struct{ word, from string }

// expand lists what the ticket's words are also tried as: one pass, so that an
// expansion is never expanded again, each word once, none that the ticket says.
func expand(tables []expansion, w wordList) []expanded {
	var out []expanded
	seen := map[string]bool{}
	for _, row := range tables {
		if w.inRow(row.key) < 0 {
			continue
		}
		for _, word := range row.to {
			if _, said := w.at[word]; said || seen[word] {
				continue
			}
			seen[word] = true
			out = append(out, expanded{word, strings.Join(row.key, " ")})
		}
	}
	return out
}
