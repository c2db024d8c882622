package worker

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// suspend stops the process of a server, and returns a function that continues it.
func suspend(t *testing.T, c *goredis.Client) (resume func()) {
	t.Helper()
	info := redistest.Must(c.Info(context.Background(), "server").Result())(t)
	_, rest, _ := strings.Cut(info, "process_id:")
	text, _, _ := strings.Cut(rest, "\r\n")
	process := redistest.Must(os.FindProcess(redistest.Must(strconv.Atoi(text))(t)))(t)
	if err := process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Signal(syscall.SIGCONT) })
	return func() { _ = process.Signal(syscall.SIGCONT) }
}

// recordingHandler returns a handler that records its calls in a callRecorder and takes a given time.
func recordingHandler(d *callRecorder, takes time.Duration) map[string]Handler {
	return map[string]Handler{"h": func(ctx context.Context, c Call) error {
		d.note(c)
		select {
		case <-time.After(takes):
		case <-ctx.Done():
		}
		return ctx.Err()
	}}
}

// expectCalledOnce checks that tasks k0 to k(n−1) were called once each, at the first attempt.
func expectCalledOnce(t *testing.T, d *callRecorder, n int) {
	t.Helper()
	for i := range n {
		key := fmt.Sprint("k", i)
		if calls := d.of(key); len(calls) != 1 || calls[0].Attempt != 1 {
			t.Errorf("%s: %d calls: %+v", key, len(calls), calls)
		}
	}
}

// After repeated connection losses no task stays leased to a claim without a reply: all tasks are
// delivered long before a lease lapses, at their first attempt.
func TestCutConnectionsLoseNoClaim(t *testing.T) {
	t.Parallel()
	s, ctx := redistest.Start(t), context.Background()
	proxy, direct := redistest.StartProxy(t, s.Addr), wheeltesting.Open(t, s.Client(), 1)
	w := wheeltesting.Open(t, redistest.Quick(t, proxy.Addr), 1)
	d := &callRecorder{}
	startWorker(t, w, Options{Handlers: recordingHandler(d, 0)})
	proxy.Delay(2 * time.Millisecond) // so that many connections are cut during a reply
	const tasks = 300
	for i := range tasks {
		if err := direct.AddTask(ctx, fmt.Sprint("k", i), rediswheel.Task{Handler: "h"}, time.Now()); err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			time.Sleep(15 * time.Millisecond)
			proxy.Cut()
		}
	}
	began := time.Now()
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(direct.Stats(ctx))(t).Done == tasks })
	if took := time.Since(began); took > LeaseDefault/2 {
		t.Errorf("the last came after %v", took)
	}
	expectCalledOnce(t, d, tasks)
}

// Redis is suspended for longer than a lease while callbacks end during the suspension or later.
// Their successes count, and no task is called again by any worker.
func TestStoppedRedisKeepsSuccesses(t *testing.T) {
	t.Parallel()
	s, ctx := redistest.Start(t), context.Background()
	w := wheeltesting.Open(t, s.Client(), 1)
	const tasks = 30
	addHandlerTasks(t, w, tasks)
	d := &callRecorder{}
	for range 2 {
		own := redistest.Must(rediswheel.Connect(ctx, s.Addr, ""))(t)
		t.Cleanup(func() { _ = own.Close() }) // after the worker's stop
		startWorker(t, wheeltesting.Open(t, own, 1), Options{Concurrency: 32, Lease: 2 * time.Second, Handlers: recordingHandler(d, 4500*time.Millisecond), Grace: time.Second})
	}
	redistest.Eventually(t, "all are under way", func() bool { return redistest.Must(w.Stats(ctx))(t).InFlight == tasks })
	time.Sleep(200 * time.Millisecond)
	resume := suspend(t, s.Client())
	time.Sleep(3 * time.Second)
	resume()
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == tasks })
	if st := redistest.Must(w.Stats(ctx))(t); st.Stale+st.Lapsed+st.InFlight+st.Retrying != 0 {
		t.Errorf("%+v", st)
	}
	expectCalledOnce(t, d, tasks)
}

// A worker that was suspended for longer than its leases, and is the only one, claims its own
// tasks again without calling them twice.
func TestOwnLapsedLeaseIsAdopted(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	addHandlerTasks(t, w, 3)
	handlers, began, finish := blocking()
	worker, _ := startWorker(t, w, Options{Handlers: handlers, Lease: time.Minute, Attempts: 2, Retry: time.Millisecond})
	for range 3 {
		<-began
	}
	h := (*worker.keepers.Load())[0]
	for _, l := range h.list(func(*lease) bool { return true }) { // as if they had lapsed
		redistest.Must(engine.Of(w).Shards()[0].Extend(ctx, []engine.ClaimID{l.claimID()}, -time.Second))(t)
	}
	redistest.Eventually(t, "they are claimed again", func() bool { return redistest.Must(w.Stats(ctx))(t).Lapsed == 3 })
	close(finish)
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 3 })
	if st := redistest.Must(w.Stats(ctx))(t); len(began) > 0 || st.Stale > 0 || st.InFlight > 0 {
		t.Errorf("%d calls more, %+v", len(began), st)
	}
}

// A success can reach Redis after a claim has taken the task over, and before that claim is
// answered. The task is not called again.
func TestSuccessDuringAClaim(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	addHandlerTasks(t, w, 2)
	worker := redistest.Must(New(w, Options{Handlers: recordingHandler(&callRecorder{}, 0)}))(t)
	h := (*worker.keepers.Load())[0]
	first := redistest.Must(h.shard.Claim(ctx, 2, time.Millisecond))(t)
	leases := h.take(&first, time.Now())
	time.Sleep(2 * time.Millisecond)
	h.ended = map[identity]bool{} // as if a claim had been sent
	second := redistest.Must(h.shard.Claim(ctx, 4, time.Minute))(t)
	wheeltesting.ExpectKeys(t, second, "k0", "k1")
	h.sendUntilAcknowledged(ctx, []result{{lease: leases[0]}})
	h.drop([]result{{lease: leases[0]}})
	if again := h.take(&second, time.Now().Add(time.Minute)); again[0] != nil || again[1] != nil || len(h.held) != 1 {
		t.Errorf("to be called: %v, held: %v", again, h.held)
	}
	wheeltesting.ExpectKeys(t, redistest.Must(h.shard.Claim(ctx, 4, time.Minute))(t))
}

// A task that was put back and is claimed again, before the worker knows that Redis has accepted
// the result of the first claim, is called.
func TestClaimedAgainBeforeItsResultIsKnown(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	addHandlerTasks(t, w, 1)
	worker := redistest.Must(New(w, Options{Handlers: recordingHandler(&callRecorder{}, 0)}))(t)
	h := (*worker.keepers.Load())[0]
	first := redistest.Must(h.shard.Claim(ctx, 2, time.Minute))(t)
	old := h.take(&first, time.Now().Add(time.Minute))[0]
	r := result{lease: old, end: released}
	h.put(r)
	batch, _ := h.results.take()
	h.sendUntilAcknowledged(ctx, batch)
	time.Sleep(2 * time.Millisecond)
	second := redistest.Must(h.shard.Claim(ctx, 2, time.Minute))(t)
	wheeltesting.ExpectKeys(t, second, "k0")
	again := h.take(&second, time.Now().Add(time.Minute))[0]
	h.drop([]result{r})
	if again == nil || h.held[again.identity] != again {
		t.Errorf("to be called: %v, held: %v", again, h.held)
	}
}

// If a worker claimed a task twice and the task fails, that counts as one attempt.
func TestAdoptedLeaseCountsOnce(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	addHandlerTasks(t, w, 1)
	began, finish := make(chan Call, 10), make(chan struct{})
	worker, _ := startWorker(t, w, Options{Lease: time.Minute, Attempts: 2, Retry: time.Millisecond, Handlers: map[string]Handler{
		"h": func(_ context.Context, c Call) error { began <- c; <-finish; return fmt.Errorf("failed") }}})
	<-began
	l := (*worker.keepers.Load())[0].list(func(*lease) bool { return true })[0]
	redistest.Must(engine.Of(w).Shards()[0].Extend(ctx, []engine.ClaimID{l.claimID()}, -time.Second))(t)
	redistest.Eventually(t, "it is claimed again", func() bool { return redistest.Must(w.Stats(ctx))(t).Lapsed == 1 })
	close(finish)
	if c := <-began; c.Attempt != 2 {
		t.Errorf("the second call is attempt %d", c.Attempt)
	}
	redistest.Eventually(t, "it is given up", func() bool { return redistest.Must(w.Stats(ctx))(t).Dead == 1 })
}

// A task that waits in a worker is not called after it was removed. After it was replaced, it is
// not called at its old time.
func TestWaitingTasksAreCheckedAgain(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	addHandlerTasks(t, w, 3)
	d := &callRecorder{}
	worker := redistest.Must(New(w, Options{Handlers: recordingHandler(d, 0), Poll: time.Millisecond}))(t)
	h := (*worker.keepers.Load())[0]
	c := redistest.Must(h.shard.ClaimFor(ctx, engine.ClaimRequest{Limit: 3, Lease: time.Minute, Worker: "w", Nonce: 1, Handlers: []string{"h"}}))(t)
	leases := h.take(&c, time.Now().Add(time.Minute))
	time.Sleep(recheckAfter + 10*time.Millisecond)
	if !redistest.Must(w.RemoveTask(ctx, "k0"))(t) {
		t.Fatal("not there")
	}
	if err := w.AddTask(ctx, "k1", rediswheel.Task{Handler: "h"}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, false, true} {
		if got := h.confirm(ctx, leases[i]); got != want {
			t.Errorf("%s: %v", leases[i].key, got)
		}
	}
}

// If callbacks are long, a worker claims no tasks ahead. Another worker calls the tasks for which
// it has no slot.
func TestNoMoreIsClaimedThanCanBegin(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	handlers, began, finish := blocking()
	for range 2 {
		startWorker(t, w, Options{Concurrency: 16, PerHost: 16, Handlers: handlers})
	}
	addHandlerTasks(t, w, 26)
	start := time.Now()
	for range 26 {
		<-began
	}
	if took := time.Since(start); took > LeaseDefault/2 {
		t.Errorf("the last began after %v", took)
	}
	close(finish)
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 26 })
}

// A worker without a handler leaves the tasks for that handler to workers that have it, and they
// are called in time.
func TestHandlersOfOtherWorkers(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 2)
	d := &callRecorder{}
	startWorker(t, w, Options{})
	startWorker(t, w, Options{Handlers: recordingHandler(d, 0)})
	for i := range 60 {
		if err := w.AddTask(ctx, fmt.Sprint("k", i), rediswheel.Task{Handler: "h"}, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 60 })
	expectCalledOnce(t, d, 60)
	for i := range 60 {
		if late := d.of(fmt.Sprint("k", i))[0].Late; late > 10*time.Second {
			t.Errorf("k%d: %v late", i, late)
		}
	}
}

// A task that one worker may not call is soon called by another, at its first attempt and before
// its lease lapses. The sum of the waits is computed, since a busy machine makes them longer.
func TestPolicyIsNoFault(t *testing.T) {
	ctx, w := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1)
	var calls, most atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if calls.Add(1); r.Header.Get(HeaderAttempt) != "1" {
			t.Errorf("attempt %s", r.Header.Get(HeaderAttempt))
		}
		claim := engine.Of(w).Client().HGet(ctx, engine.Of(w).Shards()[0].Prefix+":claims", r.Header.Get(HeaderKey)).Val()
		var token, attempts, addition, refusals int64
		if _, err := fmt.Sscan(claim, &token, &attempts, &addition, &refusals); err != nil {
			t.Errorf("claim %q: %v", claim, err)
		}
		most.Store(max(most.Load(), refusals))
	}))
	defer server.Close()
	startWorker(t, w, Options{})
	_, stop := startWorker(t, w, Options{AllowPrivate: true})
	defer stop()
	for i := range 40 {
		if err := w.AddTask(ctx, fmt.Sprint("k", i), rediswheel.Task{URL: server.URL}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	redistest.Eventually(t, "all are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 40 })
	st := redistest.Must(w.Stats(ctx))(t)
	var waited time.Duration
	for i := range most.Load() {
		waited += min(refusedWait<<max(i-refusedFast, 0), RetryMaxDefault)
	}
	if calls.Load() != 40 || st.Dead+st.Retried+st.Lapsed > 0 || waited > 4*time.Second {
		t.Errorf("%d calls, up to %d refusals of a task, which make %v, %+v", calls.Load(), most.Load(), waited, st)
	}
}

// Results are collected only until there are enough of them. Results that Redis has accepted do not
// count.
func TestResultsWaitForOthers(t *testing.T) {
	o := newOutbox(3)
	for range 2 {
		for range 3 {
			o.put(result{})
		}
		o.waitForResults(time.Minute)
		if batch, _ := o.take(); len(batch) != 3 {
			t.Errorf("%d results", len(batch))
		}
	}
	o.put(result{})
	began := time.Now()
	o.waitForResults(30 * time.Millisecond)
	if took := time.Since(began); took < 30*time.Millisecond {
		t.Errorf("one result waited for %v", took)
	}
}

// A job whose receiver has room is started even if many jobs of a receiver without room are queued
// before it.
func TestJobsBehindThoseOfABusyReceiver(t *testing.T) {
	p := newPool(4, 1)
	running, finish := make(chan string, 7), make(chan struct{})
	p.run = func(j *job) {
		running <- j.host
		<-finish
		p.finish(j, time.Millisecond, false)
	}
	p.back = func(j *job, _ ending, _ putBack) { t.Errorf("a job of %s was put back", j.host) }
	p.free = func() {}
	keeper := &leaseKeeper{}
	now := time.Now().Add(time.Hour) // no job has waited too long
	for _, host := range []string{"a", "a", "a", "b", "a", "b", "c"} {
		p.submit(&job{keeper: keeper, host: host, at: now})
	}
	first := []string{<-running, <-running, <-running}
	slices.Sort(first)
	if got := strings.Join(first, ""); got != "abc" {
		t.Errorf("started %q first", got)
	}
	close(finish)
	for range 4 {
		<-running
	}
	keeper.calls.Wait()
	p.mu.Lock()
	waiting, idle := len(p.queue), p.idle
	p.mu.Unlock()
	if waiting != 0 || idle != p.size {
		t.Errorf("%d wait, %d slots are free", waiting, idle)
	}
	p.close()
}
