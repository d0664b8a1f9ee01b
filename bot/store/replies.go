package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// ChannelComment is the comment on the ticket itself.
const ChannelComment = "comment"

// The states of a reply.
const (
	ReplyIntended = "intended" // being said; or the process ended meanwhile, and nobody saw the outcome
	ReplyFailed   = "failed"   // an attempt ended with an error that we saw
	ReplySaid     = "said"
)

const (
	// The comment's id outlives a new intent: it is how the comment is found again.
	intendReply = `INSERT INTO replies (ticket_id, channel, decision_id, state, body_hash, marker, intended_at)
		VALUES (?, ?, ?, 'intended', ?, ?, ?)
		ON CONFLICT (ticket_id, channel) DO UPDATE SET decision_id = excluded.decision_id, state = 'intended',
			body_hash = excluded.body_hash, marker = excluded.marker, intended_at = excluded.intended_at`
	markReply = `UPDATE replies SET state = 'said', comment_id = ?, url = ?, said_at = ? WHERE ticket_id = ? AND channel = ?`
	failReply = `UPDATE replies SET state = 'failed' WHERE ticket_id = ? AND channel = ?`
	getReply  = `SELECT ticket_id, channel, decision_id, state, body_hash, marker, comment_id, url, intended_at, coalesce(said_at, 0)
		FROM replies WHERE ticket_id = ? AND channel = ?`
)

// Reply is what we said, or mean to say, about a ticket in one channel.
type Reply struct {
	Ticket     int64
	Channel    string
	Decision   int64
	State      string
	BodyHash   string
	Marker     string
	CommentID  string // "" = not known to have been said
	URL        string
	IntendedAt time.Time
	SaidAt     time.Time // zero = never
}

// IntendReply records that r is about to be said.
func (t *Tx) IntendReply(ctx context.Context, r Reply) error {
	_, err := t.tx.ExecContext(ctx, intendReply, r.Ticket, r.Channel, r.Decision, r.BodyHash, r.Marker, micros(t.now))
	return err
}

// MarkReply records that the intended reply was said, and where.
func (t *Tx) MarkReply(ctx context.Context, ticket int64, channel, commentID, url string) error {
	_, err := t.tx.ExecContext(ctx, markReply, commentID, url, micros(t.now), ticket, channel)
	return err
}

// FailReply records that the attempt to say the intended reply failed.
func (t *Tx) FailReply(ctx context.Context, ticket int64, channel string) error {
	_, err := t.tx.ExecContext(ctx, failReply, ticket, channel)
	return err
}

// Reply returns the reply of a ticket in a channel; found is false when none
// was ever intended.
func (s *Store) Reply(ctx context.Context, ticket int64, channel string) (r Reply, found bool, err error) {
	var intended, said int64
	err = s.reader.QueryRowContext(ctx, getReply, ticket, channel).Scan(&r.Ticket, &r.Channel, &r.Decision, &r.State,
		&r.BodyHash, &r.Marker, &r.CommentID, &r.URL, &intended, &said)
	if errors.Is(err, sql.ErrNoRows) {
		return Reply{}, false, nil
	}
	if err != nil {
		return Reply{}, false, s.explain("reading a reply", err)
	}
	r.IntendedAt, r.SaidAt = fromMicros(intended), fromMicros(said)
	return r, true, nil
}
