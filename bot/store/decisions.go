package store

import (
	"context"
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
	latestByKey    = decisionFields + `JOIN tickets t ON t.id = d.ticket_id WHERE t.key = ? ORDER BY d.id DESC LIMIT 1`
	listDecisions  = decisionFields + `ORDER BY d.id DESC LIMIT ?`
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

// DecisionByKey returns the newest decision on a ticket with that key, in
// whatever system it lives.
func (s *Store) DecisionByKey(ctx context.Context, key string) (Decision, error) {
	return s.decision(ctx, latestByKey, key)
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
