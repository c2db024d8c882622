package rediswheel

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// errRecord is returned by ReadRecord for a record that this package did not write.
var errRecord = errors.New("not a task's record")

// head is the JSON part of a record. The body follows it unchanged.
//
// To find the name of a handler, scripts look only at the first field of the JSON object. A task for a
// handler has no URL, method or headers, so these fields are omitted, and the handler comes first.
type head struct {
	URL     string            `json:"url,omitempty"`
	Method  string            `json:"method,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Handler string            `json:"handler,omitempty"`

	MaxAttempts int   `json:"max_attempts,omitempty"`
	TimeoutMs   int64 `json:"timeout_ms,omitempty"`

	EveryMs int64  `json:"every_ms,omitempty"`
	Cron    string `json:"cron,omitempty"`
	Zone    string `json:"zone,omitempty"`
	CatchUp bool   `json:"catch_up,omitempty"`
}

// Record returns the task as stored in Redis, "1 DUE HEAD\nBODY". DUE is the argument due, a Unix time in
// milliseconds, HEAD is one line of JSON, and BODY is all bytes after that line. Scripts read DUE and the handler in HEAD. Scripts that list tasks also read the URL in HEAD.
func (t *Task) Record(due int64) string {
	line, err := json.Marshal(head{URL: t.URL, Method: t.Method, Headers: t.Headers, Handler: t.Handler,
		MaxAttempts: t.MaxAttempts, TimeoutMs: t.Timeout.Milliseconds(), EveryMs: t.Every.Milliseconds(), Cron: t.Cron, Zone: t.Zone, CatchUp: t.CatchUp})
	if err != nil {
		panic(err) // strings and a map of strings: it can't fail
	}
	var b strings.Builder
	b.Grow(len(line) + len(t.Body) + 24)
	b.WriteString("1 " + strconv.FormatInt(due, 10) + " ")
	b.Write(line)
	b.WriteByte('\n')
	b.Write(t.Body)
	return b.String()
}

// ReadRecord parses a record. due is a Unix time in milliseconds.
func ReadRecord(record string) (t Task, due int64, err error) {
	version, rest, _ := strings.Cut(record, " ")
	dueText, rest, ok := strings.Cut(rest, " ")
	due, err = strconv.ParseInt(dueText, 10, 64)
	if !ok || version != "1" || err != nil {
		return t, 0, fmt.Errorf("%w: %.40q", errRecord, record)
	}
	line, body, ok := strings.Cut(rest, "\n")
	var h head
	if err := json.Unmarshal([]byte(line), &h); err != nil || !ok {
		return t, due, fmt.Errorf("%w: %.40q", errRecord, record)
	}
	t = Task{URL: h.URL, Method: h.Method, Headers: h.Headers, Handler: h.Handler,
		MaxAttempts: h.MaxAttempts, Timeout: time.Duration(h.TimeoutMs) * time.Millisecond,
		Every: time.Duration(h.EveryMs) * time.Millisecond, Cron: h.Cron, Zone: h.Zone, CatchUp: h.CatchUp}
	if body != "" {
		t.Body = []byte(body)
	}
	return t, due, nil
}

// validHeader reports whether name and value form a valid HTTP header field.
func validHeader(name, value string) bool {
	return httpguts.ValidHeaderFieldName(name) && httpguts.ValidHeaderFieldValue(value)
}
