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
			body_hash = excluded.body_hash, marker = excluded.marker, intended_at = excluded.intended_at,
			unknown_at = CASE WHEN replies.state = 'intended' THEN coalesce(replies.unknown_at, replies.intended_at)
				ELSE replies.unknown_at END`
	markReply = `UPDATE replies SET state = 'said', comment_id = ?, url = ?, said_at = ?, unknown_at = nullif(?, 0)
		WHERE ticket_id = ? AND channel = ?`
	failReply = `UPDATE replies SET state = 'failed', unknown_at = CASE WHEN ? THEN ? ELSE unknown_at END
		WHERE ticket_id = ? AND channel = ?`
	getReply = `SELECT ticket_id, channel, decision_id, state, body_hash, marker, comment_id, url, intended_at,
		coalesce(said_at, 0), coalesce(unknown_at, 0) FROM replies WHERE ticket_id = ? AND channel = ?`
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
	// UnknownAt is the last moment of an attempt whose outcome nobody saw: a second
	// comment may stand. Zero = none, or somebody looked since.
	UnknownAt time.Time
}

// IntendReply records that r is about to be said. When an intent stands already,
// its process ended meanwhile, and UnknownAt says so from now on.
func (t *Tx) IntendReply(ctx context.Context, r Reply) error {
	_, err := t.tx.ExecContext(ctx, intendReply, r.Ticket, r.Channel, r.Decision, r.BodyHash, r.Marker, micros(t.now))
	return err
}

// MarkReply records that the intended reply was said, and where; of r it reads
// Ticket, Channel, CommentID, URL and UnknownAt.
func (t *Tx) MarkReply(ctx context.Context, r Reply) error {
	_, err := t.tx.ExecContext(ctx, markReply, r.CommentID, r.URL, micros(t.now), micros(r.UnknownAt), r.Ticket, r.Channel)
	return err
}

// FailReply records that the attempt to say the intended reply failed; unknown
// says that it may have been said all the same, or may yet be.
func (t *Tx) FailReply(ctx context.Context, ticket int64, channel string, unknown bool) error {
	_, err := t.tx.ExecContext(ctx, failReply, unknown, micros(t.now), ticket, channel)
	return err
}

// Reply returns the reply of a ticket in a channel; found is false when none
// was ever intended.
func (s *Store) Reply(ctx context.Context, ticket int64, channel string) (r Reply, found bool, err error) {
	var intended, said, unknown int64
	err = s.reader.QueryRowContext(ctx, getReply, ticket, channel).Scan(&r.Ticket, &r.Channel, &r.Decision, &r.State,
		&r.BodyHash, &r.Marker, &r.CommentID, &r.URL, &intended, &said, &unknown)
	if errors.Is(err, sql.ErrNoRows) {
		return Reply{}, false, nil
	}
	if err != nil {
		return Reply{}, false, s.explain("reading a reply", err)
	}
	r.IntendedAt, r.SaidAt, r.UnknownAt = fromMicros(intended), fromMicros(said), fromMicros(unknown)
	return r, true, nil
}
