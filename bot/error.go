package bot

import (
	"errors"
	"fmt"
	"time"
)

// Code is the closed set of ways a request or an outside call can fail. It is a
// metric label and decides what the one place that retries does.
type Code string

// The codes.
const (
	CodeInvalid      Code = "invalid"      // bad input: never again
	CodeUnauthorized Code = "unauthorized" // bad signature: refused; bad credentials: retry slowly, for a day
	CodeForbidden    Code = "forbidden"    // archived, locked, no rights: never again
	CodeNotFound     Code = "not_found"    // gone: never again
	CodeLimited      Code = "limited"      // told to wait: snooze until Until, not a failed attempt; for a day at least, not for ever
	CodeUnavailable  Code = "unavailable"  // 5xx, timeout, connection refused: retry with backoff
	CodeInternal     Code = "internal"     // our own fault: retry with backoff
)

// Error is a failure that a user or operator may see. Message says what happened
// and what to do; Err is the cause, for logs.
type Error struct {
	Code    Code
	Message string
	Until   time.Time // with CodeLimited: when to try again
	Unknown bool      // of a write: it may have been carried out, now or later
	Err     error
}

// Errorf makes an *Error. A %w verb in format keeps the cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeUnknown reports whether any *Error in err's chain has Unknown set.
func OutcomeUnknown(err error) bool {
	for {
		var e *Error
		if !errors.As(err, &e) {
			return false
		}
		if e.Unknown {
			return true
		}
		err = e.Err
	}
}

// CodeOf returns the code of the first *Error in err's chain, CodeInternal for
// any other error, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// Unknown says that err is of a write that may have been carried out, or may
// still be: whoever tries again must look first.
func Unknown(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Unknown
}
