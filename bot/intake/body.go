package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/semaphore"
)

const (
	// bodyTimeout is for the whole body: senders count a failure after about 10 s.
	bodyTimeout = 10 * time.Second
	// patience is how long a body waits for room.
	patience = 3 * time.Second
	// minHeld is the least that all bodies together may take, in bytes.
	minHeld = 64 << 20
	// smallBody is what every body may take of the room kept for small ones, in
	// bytes: large bodies, which anybody may send, keep nobody else out.
	smallBody = 64 << 10
	smallHeld = 32 << 20
	// firstRead is what a body of unknown size is given at first, in bytes.
	firstRead = 4 << 10
	// worthFreeing is how much must have been held for the memory to be given back
	// to the system at once.
	worthFreeing = 16 << 20
)

var errNoRoom = errors.New("too many requests with large bodies at once; send it again later")

// budget bounds the bytes of all bodies that are held at once: they are read
// before the signature can be proven, so anybody may send them.
type budget struct {
	small, large *semaphore.Weighted
	held         atomic.Int64
	peak         atomic.Int64 // the most that was held since nothing was
}

func newBudget(size int64) *budget {
	return &budget{small: semaphore.NewWeighted(smallHeld), large: semaphore.NewWeighted(size)}
}

// take waits for room for a body to grow from have bytes to want, or gives errNoRoom.
func (b *budget) take(ctx context.Context, have, want int64, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	small := min(want, smallBody) - min(have, smallBody)
	if !acquire(ctx, b.small, small) {
		return errNoRoom
	}
	if !acquire(ctx, b.large, want-have-small) {
		b.small.Release(small)
		return errNoRoom
	}
	now := b.held.Add(want - have)
	for peak := b.peak.Load(); now > peak && !b.peak.CompareAndSwap(peak, now); peak = b.peak.Load() {
	}
	return nil
}

// acquire waits for room; what is there is given at once, also when time is up.
func acquire(ctx context.Context, room *semaphore.Weighted, n int64) bool {
	return room.TryAcquire(n) || room.Acquire(ctx, n) == nil
}

// give takes back the room of a body of n bytes.
func (b *budget) give(n int64) {
	small := min(n, smallBody)
	b.small.Release(small)
	b.large.Release(n - small)
	if b.held.Add(-n) == 0 && b.peak.Swap(0) >= worthFreeing {
		debug.FreeOSMemory()
	}
}

// read returns the body, and what to call when it is not needed any more. More
// than is allowed is a *http.MaxBytesError, at once when the sender announced its
// size; no room for it is errNoRoom; a body that takes too long is a timeout.
func (d *door) read(c *gin.Context) (body []byte, done func(), err error) {
	announced := c.Request.ContentLength
	if announced > d.MaxBodyBytes {
		return nil, nil, &http.MaxBytesError{Limit: d.MaxBodyBytes}
	}
	// Where deadlines are not known, as with a recorder, the server's own one holds.
	control := http.NewResponseController(c.Writer)
	if err := control.SetReadDeadline(time.Now().Add(d.BodyTimeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, nil, fmt.Errorf("setting a deadline: %w", err)
	}
	size := min(int64(firstRead), d.MaxBodyBytes+1)
	if announced > 0 {
		size = min(announced+1, smallBody) // one more, to see that it ends there
	}
	var taken int64
	done = func() { d.budget.give(taken) }
	r := http.MaxBytesReader(c.Writer, c.Request.Body, d.MaxBodyBytes)
	for {
		if err := d.budget.take(c.Request.Context(), taken, size, d.Patience); err != nil {
			done()
			return nil, nil, err
		}
		taken = size
		grown := make([]byte, len(body), size)
		copy(grown, body)
		body = grown
		if body, err = fill(r, body); err != nil {
			break
		}
		size = min(2*size, d.MaxBodyBytes+1)
	}
	if !errors.Is(err, io.EOF) {
		done()
		return nil, nil, err
	}
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		done()
		return nil, nil, fmt.Errorf("lifting the deadline: %w", err)
	}
	return body, done, nil
}

// fill reads until b is full. The error is io.EOF when there is no more.
func fill(r io.Reader, b []byte) ([]byte, error) {
	for len(b) < cap(b) {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err != nil {
			return b, err
		}
	}
	return b, nil
}
