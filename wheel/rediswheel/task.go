package rediswheel

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a task.
const (
	KeyMax     = 512       // maximum number of bytes in a key
	URLMax     = 4096      // maximum number of bytes in a URL
	HeadersMax = 32        // maximum number of header fields
	HeaderMax  = 8 << 10   // maximum total number of bytes in the names and values of all header fields
	BodyMax    = 256 << 10 // maximum number of bytes in a body
	HandlerMax = 128       // maximum number of bytes in the name of a handler

	AttemptsMax = 1000 // maximum value of Task.MaxAttempts

	TimeoutMax = time.Hour // maximum value of Task.Timeout
)

// DueMin and DueMax are the earliest and the latest time at which a task may be due, 1970 and the end of the
// year 9999, UTC. A task whose time is in the past is called at once.
var (
	DueMin = time.UnixMilli(0).UTC()
	DueMax = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)
)

// Task describes a call: either to a URL, or to a handler that workers have registered by name. [HTTP] and [Call] return
// tasks of the two kinds. The fields of both are exported, so that a task can be listed, compared and added again; adding
// one that mixes the kinds returns an error that wraps [ErrInput].
type Task struct {
	URL     string            // URL to call, http or https
	Method  string            // HTTP method; empty means POST
	Headers map[string]string // additional header fields by name; nil means none
	Handler string            // name of the handler to call; empty means that URL is called
	Body    []byte            // body, sent unchanged or passed to the handler

	// Every or Cron makes a periodic task: when a run has ended, the next one waits for its time. There is one pending
	// run at a time, and no two overlap. Runs whose time has passed are skipped. A run that fails for good is kept as a
	// dead task with the key DeadKey, and the next one takes place as usual. Removing the task ends the series.
	Every   time.Duration // time between the due times of two runs, EveryMin to EveryMax, in whole ms
	Cron    string        // five fields: minute, hour, day of the month, month, day of the week; or @hourly and the like
	Zone    string        // time zone of Cron, such as Europe/Berlin; empty means UTC
	CatchUp bool          // whether one of the runs that were missed is made up for

	MaxAttempts int           // number of attempts after which the task is dead; 0 means worker.Options.Attempts
	Timeout     time.Duration // timeout of one attempt, in whole ms; 0 means worker.Options.CallbackTime
}

// HTTP returns a task that sends body to url by POST, until the fields Method and Headers say otherwise.
func HTTP(url string, body []byte) Task { return Task{URL: url, Body: body} }

// Call returns a task that passes payload to the handler that workers have registered under a name.
func Call(handler string, payload []byte) Task { return Task{Handler: handler, Body: payload} }

// methods contains the HTTP methods allowed for a callback. The empty string means POST.
var methods = map[string]bool{"": true, http.MethodPost: true, http.MethodGet: true, http.MethodPut: true,
	http.MethodPatch: true, http.MethodDelete: true, http.MethodHead: true}

// check returns a one-line error if t is invalid.
func (t *Task) check() error {
	switch {
	case len(t.Body) > BodyMax:
		return fmt.Errorf("%w: body: %d bytes, expected at most %d", ErrInput, len(t.Body), BodyMax)
	case t.MaxAttempts < 0 || t.MaxAttempts > AttemptsMax:
		return fmt.Errorf("%w: attempts: %d, expected 1 to %d", ErrInput, t.MaxAttempts, AttemptsMax)
	case t.Timeout != 0 && (t.Timeout < time.Millisecond || t.Timeout > TimeoutMax || t.Timeout%time.Millisecond != 0):
		return fmt.Errorf("%w: timeout: %v, expected whole milliseconds from 1ms to %v", ErrInput, t.Timeout, TimeoutMax)
	case t.Periodic() || t.Zone != "" || t.CatchUp:
		if err := t.checkPeriod(); err != nil {
			return err
		}
	}
	switch {
	case t.Handler != "" && t.URL != "":
		return fmt.Errorf("%w: both handler and URL given, expected one of them", ErrInput)
	case t.Handler != "":
		return t.checkHandler()
	}
	if err := checkURL(t.URL); err != nil {
		return err
	}
	if !methods[t.Method] {
		return fmt.Errorf("%w: method: %.40q, expected POST, GET, PUT, PATCH, DELETE or HEAD", ErrInput, t.Method)
	}
	return t.checkHeaders()
}

func (t *Task) checkHandler() error {
	if len(t.Handler) > HandlerMax {
		return fmt.Errorf("%w: handler: a name of %d bytes, expected at most %d", ErrInput, len(t.Handler), HandlerMax)
	}
	if !utf8.ValidString(t.Handler) {
		return fmt.Errorf("%w: handler: %.40q: not valid UTF-8", ErrInput, t.Handler)
	}
	if t.Method != "" || len(t.Headers) > 0 {
		return fmt.Errorf("%w: method and headers are only for a URL, not for a handler", ErrInput)
	}
	return nil
}

func checkURL(text string) error {
	if text == "" {
		return fmt.Errorf("%w: neither URL nor handler given", ErrInput)
	}
	if len(text) > URLMax {
		return fmt.Errorf("%w: url: %d bytes, expected at most %d", ErrInput, len(text), URLMax)
	}
	if !utf8.ValidString(text) {
		return fmt.Errorf("%w: url: %.80q: not valid UTF-8", ErrInput, RedactURL(text))
	}
	u, err := url.Parse(text)
	shown := RedactURL(text)
	if err != nil && shown != text { // the cause may quote the password
		return fmt.Errorf("%w: url: %.80q: not a valid URL", ErrInput, shown)
	}
	if err != nil {
		return fmt.Errorf("%w: url: %.80q: %v", ErrInput, text, errors.Unwrap(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return fmt.Errorf("%w: url: %.80q, expected http://HOST/… or https://HOST/…", ErrInput, shown)
	}
	if strings.ContainsFunc(u.RequestURI(), func(r rune) bool { return r <= ' ' || r == 0x7f }) { // receivers refuse it
		return fmt.Errorf("%w: url: %.80q: expected no space, write %%20", ErrInput, shown)
	}
	if _, err := strconv.ParseUint(u.Port(), 10, 16); err != nil && u.Port() != "" {
		return fmt.Errorf("%w: url: %.80q: expected a port of 0 to 65535", ErrInput, shown)
	}
	return nil
}

func (t *Task) checkHeaders() error {
	if len(t.Headers) > HeadersMax {
		return fmt.Errorf("%w: headers: %d fields, expected at most %d", ErrInput, len(t.Headers), HeadersMax)
	}
	size := 0
	for name, value := range t.Headers {
		size += len(name) + len(value)
		if !validHeader(name, value) {
			return fmt.Errorf("%w: header %.40q: not a valid name and value of HTTP", ErrInput, name)
		}
		if !utf8.ValidString(value) {
			return fmt.Errorf("%w: header %.40q: %.40q: not valid UTF-8", ErrInput, name, value)
		}
	}
	if size > HeaderMax {
		return fmt.Errorf("%w: headers: %d bytes, expected at most %d", ErrInput, size, HeaderMax)
	}
	return nil
}

// checkKey returns a one-line error if key is invalid.
func checkKey(key string) error {
	if key == "" {
		return fmt.Errorf("%w: key: empty", ErrInput)
	}
	if len(key) > KeyMax {
		return fmt.Errorf("%w: key: %d bytes, expected at most %d", ErrInput, len(key), KeyMax)
	}
	return nil
}

// dueOf converts t to a Unix time in milliseconds, rounded up so that a task is never early. The error wraps
// ErrInput if t is out of range.
func dueOf(t time.Time) (int64, error) {
	if t.Before(DueMin) {
		return 0, fmt.Errorf("%w: time: %s, before 1970", ErrInput, t.UTC().Format(time.RFC3339Nano))
	}
	if t.After(DueMax) {
		return 0, fmt.Errorf("%w: time: past the year 9999 (UTC), the last year that can be stored", ErrInput)
	}
	ms := t.UnixMilli()
	if t.After(time.UnixMilli(ms)) && ms < DueMax.UnixMilli() {
		ms++
	}
	return ms, nil
}
