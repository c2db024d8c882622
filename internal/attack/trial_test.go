//go:build linux

package attack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// answerMax is the time within which an attacker's request must be acknowledged, refused or, for a
// long response, begun.
const answerMax = 10 * time.Second

// trial is a running case: a server, the attackers' connections and the outcomes of their requests.
type trial struct {
	t      *testing.T
	server *server
	addr   string
	ctx    context.Context // done when the server has ended or the time is over
	span   time.Duration   // duration of attacks without a natural end
	begin  func()          // restarts the measurement after preparations

	mu       sync.Mutex
	closers  []io.Closer
	outcomes map[string]int
	slowest  time.Duration
	samples  map[string]string // an example of each kind of outcome
	extra    []string          // further figures for the table
	opened   int               // number of scenarios opened by other users

	newScenario time.Duration // longest wait of another user for a new scenario
}

func newTrial(ctx context.Context, t *testing.T, s *server, span time.Duration) *trial {
	return &trial{t: t, server: s, addr: s.addr, ctx: ctx, span: span, begin: func() {}, outcomes: map[string]int{}, samples: map[string]string{}}
}

// note records the outcome of a request. A request without a response fails the case.
func (c *trial) note(what string, took time.Duration, err error) {
	how := outcomeOf(err)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcomes[how]++
	c.slowest = max(c.slowest, took)
	if err != nil && c.samples[how] == "" {
		c.samples[how] = what + ": " + err.Error()
	}
}

// count returns the number of requests with a given outcome, and an example.
func (c *trial) count(how string) (n int, example string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outcomes[how], c.samples[how]
}

// hows returns the outcomes so far, in order.
func (c *trial) hows() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.outcomes))
}

// figure adds a value to the case's line.
func (c *trial) figure(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.extra = append(c.extra, fmt.Sprintf(format, args...))
}

// Outcomes of requests. noAnswer and lost are failures of the server.
const (
	acknowledged = "ack"
	refused      = "refused"
	noAnswer     = "no answer"
	lost         = "cut"
)

// outcomeOf returns the outcome for the error of a request.
func outcomeOf(err error) string {
	if err == nil {
		return acknowledged
	}
	if e := (*ackError)(nil); errors.As(err, &e) {
		return refused
	}
	if e := (*statusError)(nil); errors.As(err, &e) {
		return fmt.Sprint(e.code)
	}
	if e := (*closedError)(nil); errors.As(err, &e) {
		return fmt.Sprintf("closed %d", e.code)
	}
	if e := net.Error(nil); errors.As(err, &e) && e.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return noAnswer
	}
	return lost
}

// keep registers a connection to be closed at the end of the attack.
func (c *trial) keep(closer io.Closer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closers = append(c.closers, closer)
}

// disconnect closes all connections of the attackers.
func (c *trial) disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, closer := range c.closers {
		closer.Close()
	}
	c.closers = nil
}

// socket opens a WebSocket that stays open until the end of the attack and reads its hello. It
// returns nil if the server refused or failed, and records that.
func (c *trial) socket(path string) *client {
	began := time.Now()
	k, err := openSocket(c.ctx, c.addr, path)
	if err == nil {
		c.keep(k.conn)
		err = k.greet()
	}
	if err != nil {
		c.note("GET "+path, time.Since(began), err)
		return nil
	}
	return k
}

// session opens a session on the smallest scenario.
func (c *trial) session() *client { return c.socket("/ws?scenario=three-slots") }

// ask sends a command and records its outcome.
func (c *trial) ask(k *client, fields string) error {
	began := time.Now()
	err := k.ask(fields)
	what := fields
	if len(what) > 60 {
		what = what[:60] + "…"
	}
	c.note(what, time.Since(began), err)
	return err
}

// load opens a session and loads a scenario in it. The socket is nil if it has been closed.
func (c *trial) load(scenario string) (*client, error) {
	k := c.session()
	if k == nil {
		return nil, errors.New("no session")
	}
	if err := c.ask(k, `"do":"load","scenario":`+scenario); err != nil {
		return k, err
	}
	return k, nil
}

// drain reads and discards messages, so that the server can keep sending.
func (k *client) drain() {
	for {
		if _, err := k.next(); err != nil {
			return
		}
	}
}

// request sends a request with headers name, value, … (Host is allowed), records the outcome, and
// returns the response. The response must begin within answerMax, even if ctx ends before. Its body
// ends with ctx, and the caller must close it.
func (c *trial) request(ctx context.Context, method, path string, body io.Reader, headers ...string) (*http.Response, error) {
	own, cancel := context.WithCancel(c.ctx)
	req, err := http.NewRequestWithContext(own, method, "http://"+c.addr+path, body)
	if err != nil {
		cancel()
		return nil, err
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	began := time.Now()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: answerMax, ReadBufferSize: socketBuffer}}
	res, err := client.Do(req)
	if err == nil && res.StatusCode >= 400 {
		text, _ := io.ReadAll(io.LimitReader(res.Body, headMax))
		res.Body.Close()
		err = &statusError{res.StatusCode, strings.TrimSpace(string(text))}
	}
	c.note(method+" "+path, time.Since(began), err)
	if err != nil {
		cancel()
		return nil, err
	}
	context.AfterFunc(ctx, cancel)
	return res, nil
}

// abandon sends a request and disconnects when ctx ends, with or without a response.
func (c *trial) abandon(ctx context.Context, path string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.addr+path, nil)
	if err != nil {
		c.t.Error(err)
		return
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if res, err := client.Do(req); err == nil {
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

// download reads a response to its end or until ctx is done, at most rate bytes a second if rate is
// not 0, and returns the number of bytes.
func (c *trial) download(ctx context.Context, path string, rate int, headers ...string) int64 {
	res, err := c.request(ctx, http.MethodGet, path, nil, headers...)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	if rate == 0 {
		n, _ := io.CopyBuffer(struct{ io.Writer }{io.Discard}, res.Body, make([]byte, socketBuffer))
		return n
	}
	var n int64
	piece := make([]byte, max(rate/10, 1))
	for ctx.Err() == nil {
		k, err := io.ReadFull(res.Body, piece)
		n += int64(k)
		if err != nil {
			break
		}
		time.Sleep(time.Second / 10)
	}
	return n
}

// during returns a context for the duration of the attack.
func (c *trial) during() (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.ctx, c.span)
}

// linger waits until the end of the attack's duration.
func (c *trial) linger(began time.Time) {
	select {
	case <-c.ctx.Done():
	case <-time.After(c.span - time.Since(began)):
	}
}

// each runs f n times concurrently and waits for all.
func each(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// used are the scenarios that cases use themselves, or that take long to compute.
var used = []string{"three-slots", "heartbeats", "hundred-thousand", "twelve-rings", "cache-expiry", "request-timeouts"}

// fresh returns built-in scenarios that the server has not computed yet.
func (c *trial) fresh() (names []string) {
	const n = 3
	for _, b := range library.Builtins() {
		if !slices.Contains(used, b.Name) && !strings.HasPrefix(b.Name, "redis-") {
			names = append(names, b.Name)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	from := c.opened % (len(names) - n)
	c.opened += n
	return names[from : from+n]
}

// others opens scenarios that are not computed yet, as other users, and compares the lanes of the
// last one.
func (c *trial) others() {
	names := c.fresh()
	for _, name := range names {
		if !c.opens("/?t=3&scenario=" + name) {
			return
		}
	}
	c.opens("/api/compare?run=" + digest(c.t, names[len(names)-1]))
}

// opens fails the case if a page of another user is not loaded in time.
func (c *trial) opens(path string) bool {
	began := time.Now()
	res, err := (&http.Client{Timeout: answerMax}).Get("http://" + c.addr + path)
	if err != nil {
		c.t.Errorf("%s, asked for by another user: %v", path, err)
		return false
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, headMax))
		c.t.Errorf("%s, asked for by another user: %s after %s: %.200s", path, res.Status, rounded(time.Since(began)), text)
		return false
	}
	c.longest(time.Since(began))
	return true
}

// longest records the longest wait of another user for a new scenario.
func (c *trial) longest(took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.newScenario = max(c.newScenario, took)
}

// digest returns the digest of a built-in scenario, which every client can compute.
func digest(t *testing.T, name string) string {
	t.Helper()
	data, ok := library.Builtin(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return p.Digest()
}
