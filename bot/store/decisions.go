package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pointsman/pointsman/routing"
)

const (
	insertDecision = `INSERT INTO decisions (ticket_id, version, verdict, decision, decided_at) VALUES (?, ?, ?, ?, ?) RETURNING id`
	decisionFields = `SELECT d.id, d.ticket_id, d.version, d.decision, d.decided_at FROM decisions d `
	selectDecision = decisionFields + `WHERE d.id = ?`
	latestOf       = decisionFields + `WHERE d.ticket_id = ? ORDER BY d.id DESC LIMIT 1`
	// The newest decision of each ticket that a reference may mean.
	latestByRef = `SELECT d.id, d.ticket_id, d.version, d.decision, d.decided_at, t.system, t.tenant FROM tickets t
		JOIN decisions d ON d.id = (SELECT max(id) FROM decisions WHERE ticket_id = t.id)
		WHERE t.key = ?1 AND (?2 = '' OR t.system = ?2) AND (?3 = '' OR t.tenant = ?3)
		ORDER BY t.system, t.tenant LIMIT 20`
	listDecisions = decisionFields + `ORDER BY d.id DESC LIMIT ?`
)

// Decision is a decision as it was appended.
type Decision struct {
	Row       int64
	Ticket    int64           // the ticket's row
	Version   string          // of the ticket
	JSON      json.RawMessage // pointsman.decision/v1, exactly as it was decided
	DecidedAt time.Time
}

// Decode returns the decision as a value.
func (d Decision) Decode() (routing.Decision, error) {
	var v routing.Decision
	if err := json.Unmarshal(d.JSON, &v); err != nil {
		return routing.Decision{}, fmt.Errorf("decoding decision %d: %w", d.Row, err)
	}
	return v, nil
}

// AddDecision appends the decision for one version of a ticket.
func (t *Tx) AddDecision(ctx context.Context, ticket int64, version string, d routing.Decision) (row int64, err error) {
	text, err := json.Marshal(d)
	if err != nil {
		return 0, fmt.Errorf("encoding the decision on %s: %w", d.Ticket.Key, err)
	}
	err = t.tx.QueryRowContext(ctx, insertDecision, ticket, version, string(d.Verdict), string(text), micros(t.now)).Scan(&row)
	return row, err
}

// Decision returns one decision. An unknown row is a *bot.Error with code
// CodeNotFound, as in all the methods that return one.
func (s *Store) Decision(ctx context.Context, row int64) (Decision, error) {
	return s.decision(ctx, selectDecision, row)
}

// LatestDecision returns the newest decision on a ticket.
func (s *Store) LatestDecision(ctx context.Context, ticket int64) (Decision, error) {
	return s.decision(ctx, latestOf, ticket)
}

// AmbiguousError says that a reference may mean more than one ticket.
type AmbiguousError struct {
	Key     string
	Choices []routing.Ref // by system and tenant
}

// Error implements error.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("reading a decision: %q is the key of %d tickets", e.Key, len(e.Choices))
}

// DecisionByRef returns the newest decision on the ticket that ref means: an empty
// system or tenant stands for any. More than one ticket is an *AmbiguousError.
func (s *Store) DecisionByRef(ctx context.Context, ref routing.Ref) (Decision, error) {
	rows, err := s.reader.QueryContext(ctx, latestByRef, ref.Key, ref.System, ref.Tenant)
	if err != nil {
		return Decision{}, s.explain("reading a decision", err)
	}
	ambiguous := &AmbiguousError{Key: ref.Key}
	list, err := collect(rows, func(scan scan) (Decision, error) {
		found := routing.Ref{Key: ref.Key}
		d, err := scanDecision(func(to ...any) error { return scan(append(to, &found.System, &found.Tenant)...) })
		ambiguous.Choices = append(ambiguous.Choices, found)
		return d, err
	})
	switch {
	case err != nil:
	case len(list) == 0:
		err = sql.ErrNoRows
	case len(list) > 1:
		return Decision{}, ambiguous
	default:
		return list[0], nil
	}
	return Decision{}, s.explain("reading a decision", err)
}

// Decisions lists the newest limit decisions, newest first.
func (s *Store) Decisions(ctx context.Context, limit int) ([]Decision, error) {
	rows, err := s.reader.QueryContext(ctx, listDecisions, limit)
	if err != nil {
		return nil, s.explain("listing decisions", err)
	}
	list, err := collect(rows, scanDecision)
	return list, s.explain("listing decisions", err)
}

func (s *Store) decision(ctx context.Context, query string, arg any) (Decision, error) {
	d, err := scanDecision(s.reader.QueryRowContext(ctx, query, arg).Scan)
	return d, s.explain("reading a decision", err)
}

func scanDecision(scan scan) (d Decision, err error) {
	var text string
	var at int64
	err = scan(&d.Row, &d.Ticket, &d.Version, &text, &at)
	d.JSON, d.DecidedAt = json.RawMessage(text), fromMicros(at)
	return d, err
}
