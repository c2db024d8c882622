//go:build linux

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// The load of a test case. It is light in the short form, because several cases run concurrently
// and delays of seconds are measured.
const (
	rateShort = 60   // tasks per second in the short form
	rateFull  = 1000 // tasks per second in the full form
	tasksFull = 100_000
	leadTime  = 500 * time.Millisecond // time from adding a task until the first task is due
	addBatch  = 1000
)

// scene is the environment of a case: a Redis, a receiver, workers, tasks, and a fault.
type scene struct {
	t        *testing.T
	name     string
	began    time.Time
	rand     *rand.Rand
	addr     string            // address of Redis as given to the workers
	server   *redistest.Server // redis-server process; nil if the case starts its own servers
	receiver *receiver
	log      *callLog
	workers  []*process
	opened   *rediswheel.Wheel

	mu    sync.Mutex
	tasks map[string]*task
	stops []interruption
	spans []span
	notes []string
	hitch *hitches

	unreplicated []span // times at which a master accepted writes that its replica may not have received

	verdict *verdict
}

// task is a task that the scene added, or tried to add.
type task struct {
	due   time.Time
	sent  time.Time // time at which the successful add was sent; zero: none
	added time.Time // time at which the add was answered
	tries int       // number of adds sent; a failed one may have added the task, too
	apart bool      // whether the task is not judged: the case itself judges it, or its Redis lost it
}

// span is the time that a fault lasted.
type span struct{ from, to time.Time }

// interruption is the killing or suspension of a worker.
type interruption struct {
	at     time.Time
	killed bool
}

// newScene returns a scene without a Redis.
func newScene(t *testing.T, name string, seed uint64) *scene {
	s := &scene{t: t, name: name, began: time.Now(), rand: rand.New(rand.NewPCG(seed, 0)), log: newCallLog(), tasks: map[string]*task{}}
	s.receiver = startReceiver(t, "127.0.0.1", s.log)
	s.hitch = watchHitches(t)
	return s
}

// withRedis starts the scene's Redis.
func (s *scene) withRedis(args ...string) {
	s.t.Helper()
	s.server = redistest.Start(s.t, args...)
	s.addr = s.server.Addr
}

// pick returns the first value in the short form and the second in the full form.
func pick[T any](short, fullValue T) T {
	if *full {
		return fullValue
	}
	return short
}

// rate is the number of tasks due per second, and length the duration of the load.
func rate() int { return pick(rateShort, rateFull) }

func length(short time.Duration) time.Duration {
	return pick(short, tasksFull*time.Second/rateFull)
}

// between returns a pseudo-random time from a range, determined by the seed.
func (s *scene) between(from, to time.Duration) time.Duration {
	return from + time.Duration(s.rand.Int64N(int64(to-from)+1))
}

// wheel returns the wheel as used by a program that adds tasks.
func (s *scene) wheel(shards int) *rediswheel.Wheel {
	s.t.Helper()
	if s.opened == nil {
		w, err := s.open(shards)
		if err != nil {
			s.t.Fatal(err)
		}
		s.opened = w
	}
	return s.opened
}

func (s *scene) open(shards int) (*rediswheel.Wheel, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), startWait)
	defer cancel()
	client, err := rediswheel.Connect(ctx, s.addr, "")
	if err != nil {
		return nil, err
	}
	s.t.Cleanup(func() { _ = client.Close() })
	return rediswheel.Open(ctx, client, rediswheel.Options{Shards: shards})
}

// to returns a task that calls a URL.
func to(url string) rediswheel.Task { return rediswheel.Task{URL: url} }

// preload adds n tasks of one kind that are due over a time from leadTime on, and returns the due
// time of the first.
func (s *scene) preload(prefix string, n int, over time.Duration, what rediswheel.Task) time.Time {
	s.t.Helper()
	lead := leadTime + time.Duration(n)*20*time.Microsecond
	first := time.Now().Add(lead)
	items := make([]rediswheel.Item, n)
	for i := range items {
		items[i] = rediswheel.Item{Key: fmt.Sprint(prefix, "-", i), Task: what, ExecuteAt: first.Add(time.Duration(i) * over / time.Duration(n))}
	}
	w := s.wheel(0)
	for len(items) > 0 {
		part := items[:min(len(items), addBatch)]
		sent := time.Now()
		if err := w.AddTasks(s.t.Context(), part); err != nil {
			s.t.Fatal(err)
		}
		s.note(part, sent)
		items = items[len(part):]
	}
	return first
}

// steady adds the usual number of tasks per second for a time.
func (s *scene) steady(over time.Duration) time.Time {
	s.t.Helper()
	return s.preload("task", int((over*time.Duration(rate())+time.Second/2)/time.Second), over, to(s.receiver.url()))
}

func (s *scene) note(items []rediswheel.Item, sent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range items {
		s.tasks[i.Key] = &task{due: i.ExecuteAt, sent: sent, added: time.Now(), tries: 1}
	}
}

// forget excludes tasks whose add was sent before a given time from the judgement. It must be
// called after all adds have been answered, since an answer may arrive late.
func (s *scene) forget(before time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tasks {
		if !t.sent.IsZero() && t.sent.Before(before) {
			t.apart = true
		}
	}
}

// fault runs f and records the time that it takes as the time of a fault.
func (s *scene) fault(f func()) {
	from := time.Now()
	f()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spans = append(s.spans, span{from, time.Now()})
}

// kill kills a worker with SIGKILL.
func (s *scene) kill(w *process) {
	w.signal(syscall.SIGKILL)
	s.interrupted(true)
	<-w.ended
}

// suspend stops a worker for a time.
func (s *scene) suspend(w *process, d time.Duration) {
	w.signal(syscall.SIGSTOP)
	s.interrupted(false)
	time.Sleep(d)
	w.signal(syscall.SIGCONT)
}

func (s *scene) interrupted(killed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stops = append(s.stops, interruption{time.Now(), killed})
}

// say adds a text to the case's line of the report.
func (s *scene) say(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// until sleeps until a time.
func until(at time.Time) { time.Sleep(time.Until(at)) }

// awaitUntil waits until the function `is` returns true, but no longer than the given time.
func awaitUntil(most time.Duration, is func() bool) {
	for limit := time.Now().Add(most); !is() && time.Now().Before(limit); {
		time.Sleep(emptyEvery)
	}
}

// hitches measures for how long this machine did not run a runnable goroutine. The tested programs
// were delayed at least as much.
type hitches struct {
	mu        sync.Mutex
	max       time.Duration
	all, lost time.Duration // time measured, and the part of it in which the goroutine did not run
}

const (
	hitchEvery = 10 * time.Millisecond
	hitchUsual = time.Millisecond // the timer's usual lateness on an idle machine
)

func watchHitches(t *testing.T) *hitches {
	h, stop := &hitches{}, make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			began := time.Now()
			select {
			case <-stop:
				return
			case <-time.After(hitchEvery):
			}
			h.mu.Lock()
			took := time.Since(began)
			h.max = max(h.max, took-hitchEvery)
			h.all, h.lost = h.all+took, h.lost+max(took-hitchEvery-hitchUsual, 0)
			h.mu.Unlock()
		}
	})
	t.Cleanup(func() { close(stop); watching.Wait() })
	return h
}

func (h *hitches) longest() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.max
}

// share returns the share of the time in which the goroutine did not run, 0 to 1.
func (h *hitches) share() float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lost.Seconds() / max(h.all, hitchEvery).Seconds()
}

// slack returns how much of a delay may be due to a busy machine: twice the longest time in which
// this goroutine did not run, or the goroutine's lost share of the delay if that is more. The short form adds
// slackShort.
func (h *hitches) slack(late time.Duration) time.Duration {
	return pick(slackShort, 0) + min(max(2*h.longest(), time.Duration(h.share()*float64(late))), slackMax)
}
