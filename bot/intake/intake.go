package intake

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
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
	// Observe is told how every request ended: "accepted", "duplicate",
	// "too_large", "unauthorized", "invalid", "unavailable" or "unknown". It may be nil.
	Observe func(source, result string)
}

// Register adds the webhook routes.
func Register(r gin.IRouter, o Options) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(string, string) {}
	}
	r.POST("/webhooks/github", func(c *gin.Context) { o.handle(c, "github", "", o.GitHub) })
	r.POST("/webhooks/jira/:tenant", func(c *gin.Context) {
		tenant := c.Param("tenant")
		v, ok := o.Jira[tenant]
		if !ok {
			v, tenant = nil, ""
		}
		o.handle(c, "jira", tenant, v)
	})
}

// answer is what a sender gets: Delivery and Status when it was taken, Error when not.
type answer struct {
	Status   string `json:"status"`
	Delivery string `json:"delivery,omitempty"`
	Error    string `json:"error,omitempty"`
}

func (o Options) handle(c *gin.Context, source, tenant string, v bot.Verifier) {
	if v == nil {
		o.refuse(c, source, http.StatusNotFound, "unknown", errors.New("there is no such webhook here: configure the source, or mend the address"))
		return
	}
	body, err := o.read(c)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			o.refuse(c, source, http.StatusRequestEntityTooLarge, "too_large", errors.New("the body is larger than maxBodyBytes"))
		} else {
			o.refuse(c, source, http.StatusBadRequest, "invalid", errors.New("the body ended early"))
		}
		return
	}
	id, kind, err := v.Verify(c.Request.Header, body)
	if err != nil {
		if bot.CodeOf(err) == bot.CodeUnauthorized {
			o.refuse(c, source, http.StatusUnauthorized, "unauthorized", err)
		} else {
			o.refuse(c, source, http.StatusBadRequest, "invalid", err)
		}
		return
	}
	// A sender that hangs up must not undo a save that is under way.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), saveTimeout)
	defer cancel()
	fresh, err := o.Receiver.Receive(ctx, bot.Delivery{
		Source: source, Tenant: tenant, ID: id, Kind: kind, Body: body, ReceivedAt: o.Now().UTC(),
	})
	if err != nil {
		o.Log.ErrorContext(ctx, "a delivery could not be saved", bot.LogSource, source, bot.LogTenant, tenant,
			bot.LogDelivery, id, bot.LogKind, kind, bot.LogErr, err)
		c.Header("Retry-After", "30")
		o.refuse(c, source, http.StatusServiceUnavailable, "unavailable", errors.New("the delivery could not be saved; send it again later"))
		return
	}
	status := "accepted"
	if !fresh {
		status = "duplicate"
	}
	o.Observe(source, status)
	o.Log.InfoContext(ctx, "delivery taken", bot.LogStatus, status, bot.LogSource, source, bot.LogTenant, tenant,
		bot.LogDelivery, id, bot.LogKind, kind)
	c.JSON(http.StatusAccepted, answer{Status: status, Delivery: id})
}

// read returns the body, or a *http.MaxBytesError before more of it is read than
// is allowed: at once when the sender announced its size.
func (o Options) read(c *gin.Context) ([]byte, error) {
	if c.Request.ContentLength > o.MaxBodyBytes {
		return nil, &http.MaxBytesError{Limit: o.MaxBodyBytes}
	}
	return io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, o.MaxBodyBytes))
}

func (o Options) refuse(c *gin.Context, source string, status int, result string, err error) {
	o.Observe(source, result)
	o.Log.WarnContext(c.Request.Context(), "delivery refused", bot.LogSource, source, bot.LogStatus, status, bot.LogReason, err.Error())
	if status == http.StatusRequestEntityTooLarge {
		// The rest of the body is not wanted: the connection ends with the answer.
		c.Header("Connection", "close")
	}
	c.AbortWithStatusJSON(status, answer{Status: "refused", Error: err.Error()})
}
