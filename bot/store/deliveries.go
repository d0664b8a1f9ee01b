package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// The statuses of a delivery.
const (
	StatusReceived = "received" // saved, not finished
	StatusDone     = "done"     // answered, or there was nothing left to say
	StatusIgnored  = "ignored"  // understood, and not for us
	StatusFailed   = "failed"   // given up
)

const (
	insertDelivery = `INSERT INTO deliveries (source, tenant, delivery_id, kind, body, received_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (source, tenant, delivery_id) DO NOTHING RETURNING id`
	// A failed one that is sent again by hand gets another chance.
	reviveDelivery = `UPDATE deliveries SET status = 'received', reason = '', finished_at = NULL, retry_at = NULL, kind = ?, body = ?
		WHERE source = ? AND tenant = ? AND delivery_id = ? AND status = 'failed' RETURNING id`
	finishDelivery = `UPDATE deliveries SET status = ?, reason = ?, finished_at = ?, retry_at = NULL WHERE id = ?`
	delayDelivery  = `UPDATE deliveries SET reason = ?, retry_at = ? WHERE id = ? AND status = 'received'`
	selectDelivery = `SELECT id, source, tenant, delivery_id, kind, body, received_at, status, reason, coalesce(finished_at, 0), coalesce(retry_at, 0)
		FROM deliveries WHERE id = ?`
	listDeliveries = `SELECT id, source, tenant, delivery_id, kind, x'', received_at, status, reason, coalesce(finished_at, 0), coalesce(retry_at, 0)
		FROM deliveries WHERE (?1 = '' OR status = ?1) ORDER BY id DESC LIMIT ?2`
)

// Delivery is a saved webhook request and what became of it.
type Delivery struct {
	bot.Delivery
	Row        int64 // the store's own id
	Status     string
	Reason     string    // a person's words: why it was ignored, failed, or is tried again
	FinishedAt time.Time // zero while received
	RetryAt    time.Time // received, and an attempt failed: when the next one follows; else zero
}

// AddDelivery saves d and returns its row. fresh is false when the same delivery
// was there already: then nothing is changed and row is 0. One that had failed is
// taken up again, as if it were fresh.
func (t *Tx) AddDelivery(ctx context.Context, d bot.Delivery) (row int64, fresh bool, err error) {
	body := d.Body
	if body == nil {
		body = []byte{}
	}
	err = t.tx.QueryRowContext(ctx, insertDelivery, d.Source, d.Tenant, d.ID, d.Kind, body, micros(d.ReceivedAt)).Scan(&row)
	if errors.Is(err, sql.ErrNoRows) {
		err = t.tx.QueryRowContext(ctx, reviveDelivery, d.Kind, body, d.Source, d.Tenant, d.ID).Scan(&row)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return row, err == nil, err
}

// FinishDelivery notes what became of a delivery.
func (t *Tx) FinishDelivery(ctx context.Context, row int64, status, reason string) error {
	_, err := t.tx.ExecContext(ctx, finishDelivery, status, reason, micros(t.now), row)
	return err
}

// DelayDelivery notes why an attempt at an unfinished delivery failed, and when
// the next one follows.
func (t *Tx) DelayDelivery(ctx context.Context, row int64, reason string, again time.Time) error {
	_, err := t.tx.ExecContext(ctx, delayDelivery, reason, micros(again), row)
	return err
}

// Delivery returns one saved delivery with its body. An unknown row is a
// *bot.Error with code CodeNotFound.
func (s *Store) Delivery(ctx context.Context, row int64) (Delivery, error) {
	d, err := scanDelivery(s.reader.QueryRowContext(ctx, selectDelivery, row).Scan)
	return d, s.explain("reading a delivery", err)
}

// Deliveries lists the newest limit deliveries, newest first, without bodies.
// status "" means all.
func (s *Store) Deliveries(ctx context.Context, status string, limit int) ([]Delivery, error) {
	rows, err := s.reader.QueryContext(ctx, listDeliveries, status, limit)
	if err != nil {
		return nil, s.explain("listing deliveries", err)
	}
	list, err := collect(rows, scanDelivery)
	return list, s.explain("listing deliveries", err)
}

type scan func(...any) error

func scanDelivery(scan scan) (d Delivery, err error) {
	var received, finished, retry int64
	err = scan(&d.Row, &d.Source, &d.Tenant, &d.ID, &d.Kind, &d.Body, &received, &d.Status, &d.Reason, &finished, &retry)
	d.ReceivedAt, d.FinishedAt, d.RetryAt = fromMicros(received), fromMicros(finished), fromMicros(retry)
	return d, err
}

// collect reads all rows and closes them.
func collect[T any](rows *sql.Rows, one func(scan) (T, error)) ([]T, error) {
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := one(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
