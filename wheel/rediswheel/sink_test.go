package rediswheel

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// headerWorker tells the sink which worker calls.
const headerWorker = "Test-Worker"

// named adds a worker's name to its callbacks.
type named struct {
	http.RoundTripper
	id string
}

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set(headerWorker, n.id)
	return n.RoundTripper.RoundTrip(r)
}

// heard is a callback that came.
type heard struct {
	at, due time.Time
	worker  string
}

// sink takes the callbacks of a failure run, and knows when which worker died.
type sink struct {
	url string

	mu     sync.Mutex
	calls  map[string][]heard
	deaths map[string]time.Time
}

func startSink(t testing.TB) *sink {
	s := &sink{calls: map[string][]heard{}, deaths: map[string]time.Time{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	due, err := time.Parse(time.RFC3339Nano, r.Header.Get(HeaderDue))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Header.Get(HeaderKey)
	s.calls[key] = append(s.calls[key], heard{now, due, r.Header.Get(headerWorker)})
}

func (s *sink) died(worker string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaths[worker] = time.Now()
}

// judge says what is wrong with the calls of n tasks: one that never came, one that
// came early, one that came again though its worker had not died since.
func (s *sink) judge(n int) []string {
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
			if j > 0 && !s.excused(calls[j-1], c) {
				faults = append(faults, fmt.Sprintf("%s was called by worker %s, and %v later by worker %s", key, calls[j-1].worker, c.at.Sub(calls[j-1].at), c.worker))
			}
		}
	}
	return faults
}

// excused says whether the first call's worker died between the two.
func (s *sink) excused(first, second heard) bool {
	death, died := s.deaths[first.worker]
	return died && !death.Before(first.at) && death.Before(second.at)
}

// String tells how many calls came, how many were repeated, and how late they were.
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

// The judge of a failure run sees each fault, and excuses what is excused.
func TestSinkJudges(t *testing.T) {
	t0 := time.Now()
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	s := &sink{deaths: map[string]time.Time{"dead": at(20)}, calls: map[string][]heard{
		"task-0": {{at(5), at(5), "alive"}},
		"task-2": {{at(5), at(6), "alive"}},
		"task-3": {{at(5), at(5), "alive"}, {at(30), at(5), "alive"}},
		"task-4": {{at(5), at(5), "dead"}, {at(30), at(5), "alive"}},
		"task-5": {{at(5), at(5), "dead"}, {at(10), at(5), "alive"}},
	}}
	want := []string{"task-1 was never called", "task-2 was called 1ms early",
		"task-3 was called by worker alive, and 25ms later by worker alive", "task-5 was called by worker dead, and 5ms later by worker alive"}
	if got := s.judge(6); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
