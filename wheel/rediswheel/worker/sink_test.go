package worker

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"
)

// pathConnection is the path of requests that name the worker of a connection.
const pathConnection = "/connection"

// nameConnections makes transport send the name of the worker to the sink at url for each connection,
// before the connection is used. The name is not in the requests, since callbacks are sent in two ways.
func nameConnections(transport *http.Transport, sink, worker string) {
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		names := url.Values{"worker": {worker}, "addr": {conn.LocalAddr().String()}}
		resp, err := http.Post(sink+pathConnection+"?"+names.Encode(), "", nil)
		if err != nil {
			_ = conn.Close()
			return nil, err
		}
		_ = resp.Body.Close()
		return conn, nil
	}
}

// receivedCall is a callback that the sink received.
type receivedCall struct {
	at, due time.Time
	worker  string
}

// sink receives the callbacks of a failure run, and records when each worker died.
type sink struct {
	url string

	mu      sync.Mutex
	workers map[string]string // by address of their connections
	calls   map[string][]receivedCall
	deaths  map[string]time.Time
}

func startSink(t testing.TB) *sink {
	s := &sink{workers: map[string]string{}, calls: map[string][]receivedCall{}, deaths: map[string]time.Time{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	if r.URL.Path == pathConnection {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.workers[r.FormValue("addr")] = r.FormValue("worker")
		return
	}
	due, err := time.Parse(time.RFC3339Nano, r.Header.Get(HeaderDue))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Header.Get(HeaderKey)
	s.calls[key] = append(s.calls[key], receivedCall{now, due, s.workers[r.RemoteAddr]})
}

func (s *sink) recordDeath(worker string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaths[worker] = time.Now()
}

// check returns the faults in the calls of n tasks: a task that was not called, was called early or
// by an unknown worker, or was called again although its worker had not died in between.
func (s *sink) check(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var faults []string
	for i := range n {
		key := fmt.Sprint("task-", i)
		calls := s.calls[key]
		if len(calls) == 0 {
			faults = append(faults, key+" was never called")
		}
		for j, c := range calls {
			if c.at.Before(c.due) {
				faults = append(faults, fmt.Sprintf("%s was called %v early", key, c.due.Sub(c.at)))
			}
			if c.worker == "" {
				faults = append(faults, key+" was called by an unknown worker")
			}
			if j > 0 && !s.repeatExplained(calls[j-1], c) {
				faults = append(faults, fmt.Sprintf("%s was called by worker %s, and %v later by worker %s", key, calls[j-1].worker, c.at.Sub(calls[j-1].at), c.worker))
			}
		}
	}
	return faults
}

// repeatExplained reports whether the worker of the first call died between the two calls.
func (s *sink) repeatExplained(first, second receivedCall) bool {
	death, died := s.deaths[first.worker]
	return died && !death.Before(first.at) && death.Before(second.at)
}

// String returns the number of calls, the number of repeated ones, and their lateness.
func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var late []time.Duration
	repeated := 0
	for _, calls := range s.calls {
		repeated += len(calls) - 1
		late = append(late, calls[0].at.Sub(calls[0].due))
	}
	if len(late) == 0 {
		return "no calls"
	}
	slices.Sort(late)
	at := func(q float64) time.Duration { return late[int(q*float64(len(late)-1))].Round(100 * time.Microsecond) }
	return fmt.Sprintf("%d tasks called, %d of them again after their worker died; lateness p50 %v, p99 %v, max %v",
		len(s.calls), repeated, at(0.5), at(0.99), at(1))
}

// judge reports each kind of fault, and excuses repeats after a death.
func TestSinkJudges(t *testing.T) {
	t0 := time.Now()
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	s := &sink{deaths: map[string]time.Time{"dead": at(20)}, calls: map[string][]receivedCall{
		"task-0": {{at(5), at(5), "alive"}},
		"task-2": {{at(5), at(6), "alive"}},
		"task-3": {{at(5), at(5), "alive"}, {at(30), at(5), "alive"}},
		"task-4": {{at(5), at(5), "dead"}, {at(30), at(5), "alive"}},
		"task-5": {{at(5), at(5), "dead"}, {at(10), at(5), "alive"}},
		"task-6": {{at(5), at(5), ""}},
	}}
	want := []string{"task-1 was never called", "task-2 was called 1ms early",
		"task-3 was called by worker alive, and 25ms later by worker alive", "task-5 was called by worker dead, and 5ms later by worker alive",
		"task-6 was called by an unknown worker"}
	if got := s.check(7); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
