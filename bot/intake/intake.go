package intake

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pointsman/pointsman/bot"
)

// saveTimeout leaves room below the 10 s after which senders count a failure.
const saveTimeout = 8 * time.Second

// Receiver saves a delivery together with the job to work on it. fresh is false
// when the delivery was known already; then nothing is done.
type Receiver interface {
	Receive(ctx context.Context, d bot.Delivery) (fresh bool, err error)
}

// Options say who may send what. A source without a verifier does not exist.
type Options struct {
	GitHub       bot.Verifier            // nil = off
	Jira         map[string]bot.Verifier // by tenant
	Receiver     Receiver
	MaxBodyBytes int64
	Log          *slog.Logger
	Now          func() time.Time // nil = time.Now
	// Screen refuses a request by its headers alone, before a byte of its body is
	// read: one that bears no signature. Nil = none is.
	Screen func(source string, h http.Header) error
	// MaxHeldBytes bounds the bodies of all requests together; 0 = four of the
	// largest, 64 MiB at least.
	MaxHeldBytes int64
	BodyTimeout  time.Duration // to read one body; 0 = 10 s
	Patience     time.Duration // to wait for room under MaxHeldBytes; 0 = 3 s
	// Observe is told how every request ended: "accepted", "duplicate", "too_large",
	// "too_slow", "busy", "unauthorized", "invalid", "unavailable" or "unknown". It may be nil.
	Observe func(source, result string)
}

// door is the options at work.
type door struct {
	Options
	budget *budget
}

// Register adds the webhook routes.
func Register(r gin.IRouter, o Options) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(string, string) {}
	}
	if o.Screen == nil {
		o.Screen = func(string, http.Header) error { return nil }
	}
	if o.MaxHeldBytes == 0 {
		o.MaxHeldBytes = max(4*o.MaxBodyBytes, minHeld)
	}
	if o.BodyTimeout == 0 {
		o.BodyTimeout = bodyTimeout
	}
	if o.Patience == 0 {
		o.Patience = patience
	}
	d := &door{Options: o, budget: newBudget(max(o.MaxHeldBytes, o.MaxBodyBytes+1))}
	r.POST("/webhooks/github", func(c *gin.Context) { d.handle(c, "github", "", o.GitHub) })
	r.POST("/webhooks/jira/:tenant", func(c *gin.Context) {
		tenant := c.Param("tenant")
		v, ok := d.Jira[tenant]
		if !ok {
			v, tenant = nil, ""
		}
		d.handle(c, "jira", tenant, v)
	})
}

// answer is what a sender gets: Delivery and Status when it was taken, Error when not.
type answer struct {
	Status   string `json:"status"`
	Delivery string `json:"delivery,omitempty"`
	Error    string `json:"error,omitempty"`
}

func (d *door) handle(c *gin.Context, source, tenant string, v bot.Verifier) {
	if v == nil {
		d.refuse(c, source, http.StatusNotFound, "unknown", errors.New("there is no such webhook here: configure the source, or mend the address"))
		return
	}
	if c.Request.ContentLength > d.MaxBodyBytes {
		d.refuseBody(c, source, &http.MaxBytesError{Limit: d.MaxBodyBytes})
		return
	}
	if err := d.Screen(source, c.Request.Header); err != nil {
		d.refuse(c, source, http.StatusUnauthorized, "unauthorized", err)
		return
	}
	body, done, err := d.read(c)
	if err != nil {
		d.refuseBody(c, source, err)
		return
	}
	defer done()
	id, kind, err := v.Verify(c.Request.Header, body)
	if err != nil {
		if bot.CodeOf(err) == bot.CodeUnauthorized {
			d.refuse(c, source, http.StatusUnauthorized, "unauthorized", err)
		} else {
			d.refuse(c, source, http.StatusBadRequest, "invalid", err)
		}
		return
	}
	d.save(c, bot.Delivery{Source: source, Tenant: tenant, ID: id, Kind: kind, Body: body, ReceivedAt: d.Now().UTC()})
}

func (d *door) save(c *gin.Context, in bot.Delivery) {
	// A sender that hangs up must not undo a save that is under way.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), saveTimeout)
	defer cancel()
	log := d.Log.With(bot.LogSource, in.Source, bot.LogTenant, in.Tenant, bot.LogDelivery, in.ID, bot.LogKind, in.Kind)
	fresh, err := d.Receiver.Receive(ctx, in)
	if err != nil {
		log.ErrorContext(ctx, "a delivery could not be saved", bot.LogErr, err)
		c.Header("Retry-After", "30")
		d.refuse(c, in.Source, http.StatusServiceUnavailable, "unavailable", errors.New("the delivery could not be saved; send it again later"))
		return
	}
	status := "accepted"
	if !fresh {
		status = "duplicate"
	}
	d.Observe(in.Source, status)
	log.InfoContext(ctx, "delivery taken", bot.LogStatus, status)
	c.JSON(http.StatusAccepted, answer{Status: status, Delivery: in.ID})
}

// refuseBody answers a request whose body could not be read. What is left of it is
// not wanted: the connection ends with the answer.
func (d *door) refuseBody(c *gin.Context, source string, err error) {
	c.Header("Connection", "close")
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		d.refuse(c, source, http.StatusRequestEntityTooLarge, "too_large", errors.New("the body is larger than maxBodyBytes"))
	case errors.Is(err, errNoRoom):
		c.Header("Retry-After", "5")
		d.refuse(c, source, http.StatusServiceUnavailable, "busy", err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		d.refuse(c, source, http.StatusRequestTimeout, "too_slow", errors.New("the body took too long"))
	default:
		d.refuse(c, source, http.StatusBadRequest, "invalid", errors.New("the body ended early"))
	}
}

func (d *door) refuse(c *gin.Context, source string, status int, result string, err error) {
	d.Observe(source, result)
	d.Log.WarnContext(c.Request.Context(), "delivery refused", bot.LogSource, source, bot.LogStatus, status, bot.LogReason, err.Error())
	c.AbortWithStatusJSON(status, answer{Status: "refused", Error: err.Error()})
}
