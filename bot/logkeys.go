package bot

// The keys of log lines. Every attribute that the service logs uses one of them.
const (
	LogSource   = "source"
	LogTenant   = "tenant"
	LogDelivery = "delivery"
	LogKind     = "kind"
	LogEvent    = "event"
	LogTicket   = "ticket"
	LogRepo     = "repo"
	LogCommit   = "commit"
	LogDecision = "decision"
	LogVerdict  = "verdict"
	LogJob      = "job"
	LogAttempt  = "attempt"
	LogComment  = "comment"
	LogCode     = "code"
	LogErr      = "err"
	LogReason   = "reason"
	LogAddr     = "addr"
	LogCount    = "count"
	LogTook     = "took"
	LogWait     = "wait"
	LogPath     = "path"
	LogStatus   = "status"
	LogMode     = "mode"
)
