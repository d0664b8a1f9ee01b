package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

const (
	upsertTicket = `INSERT INTO tickets (system, tenant, key, version, ticket, target, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (system, tenant, key) DO UPDATE SET
			version = excluded.version, ticket = excluded.ticket, target = excluded.target, updated_at = excluded.updated_at
		RETURNING id`
	noteArrival       = `UPDATE tickets SET arrival = ? WHERE id = ?`
	selectTicket      = `SELECT id, ticket, target, arrival FROM tickets WHERE id = ?`
	selectTicketByRef = `SELECT id, ticket, target, arrival FROM tickets WHERE system = ? AND tenant = ? AND key = ?`
)

// Ticket is a ticket as its newest known version reads, and where replies go.
type Ticket struct {
	Row    int64
	Ticket routing.Ticket
	Target bot.Target
	// Arrival is the row of the delivery that brought the version; 0 = not told.
	Arrival int64
}

// TicketByRef returns the ticket that ref names; found is false when it is new.
func (t *Tx) TicketByRef(ctx context.Context, ref routing.Ref) (ticket Ticket, found bool, err error) {
	ticket, err = scanTicket(t.tx.QueryRowContext(ctx, selectTicketByRef, ref.System, ref.Tenant, ref.Key).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Ticket{}, false, nil
	}
	return ticket, err == nil, err
}

// PutTicket saves a ticket over the version that was known, and returns its row.
func (t *Tx) PutTicket(ctx context.Context, ticket routing.Ticket, target bot.Target) (row int64, err error) {
	text, err := json.Marshal(ticket)
	if err != nil {
		return 0, fmt.Errorf("encoding ticket %s: %w", ticket.Ref.Key, err)
	}
	to, err := json.Marshal(target)
	if err != nil {
		return 0, fmt.Errorf("encoding the target of %s: %w", ticket.Ref.Key, err)
	}
	ref := ticket.Ref
	err = t.tx.QueryRowContext(ctx, upsertTicket, ref.System, ref.Tenant, ref.Key, ticket.Version,
		string(text), string(to), micros(t.now)).Scan(&row)
	return row, err
}

// NoteArrival notes which delivery brought the version that is known.
func (t *Tx) NoteArrival(ctx context.Context, ticket, delivery int64) error {
	_, err := t.tx.ExecContext(ctx, noteArrival, delivery, ticket)
	return err
}

// Ticket returns one ticket. An unknown row is a *bot.Error with code CodeNotFound.
func (s *Store) Ticket(ctx context.Context, row int64) (Ticket, error) {
	t, err := scanTicket(s.reader.QueryRowContext(ctx, selectTicket, row).Scan)
	return t, s.explain("reading a ticket", err)
}

func scanTicket(scan scan) (t Ticket, err error) {
	var ticket, target string
	if err := scan(&t.Row, &ticket, &target, &t.Arrival); err != nil {
		return Ticket{}, err
	}
	if err := json.Unmarshal([]byte(ticket), &t.Ticket); err != nil {
		return Ticket{}, fmt.Errorf("decoding ticket %d: %w", t.Row, err)
	}
	if err := json.Unmarshal([]byte(target), &t.Target); err != nil {
		return Ticket{}, fmt.Errorf("decoding the target of ticket %d: %w", t.Row, err)
	}
	return t, nil
}
