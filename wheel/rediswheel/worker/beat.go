package worker

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// recentMinutes is the number of minutes over which the recent lateness is measured.
const recentMinutes = 5

// heartbeats records the heartbeats of a worker.
type heartbeats struct {
	mu   sync.Mutex
	at   time.Time // time at which Redis last accepted a heartbeat; zero if it has accepted none
	err  error     // error of the latest heartbeat; nil if Redis accepted it
	from time.Time // time at which the worker started; zero if it has not started
}

// startBeats starts a goroutine that sends heartbeats until ctx is done, and then removes the worker from
// the list of workers. The returned function waits until the goroutine has ended.
func (w *Worker) startBeats(ctx context.Context) (wait func()) {
	host, _ := os.Hostname()
	b := engine.Beat{Host: host, PID: os.Getpid(), Started: time.Now().UTC().Truncate(time.Second), Concurrency: w.o.Concurrency}
	w.beats.mu.Lock()
	w.beats.from = time.Now()
	w.beats.mu.Unlock()
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(engine.BeatEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			w.sendBeat(ctx, b)
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
		defer cancel()
		// Otherwise it is listed as dead after a while.
		_, _ = connect.Await(last, func() (struct{}, error) { return struct{}{}, w.wheel.Beat(last, w.id, nil) })
	})
	return all.Wait
}

func (w *Worker) sendBeat(ctx context.Context, b engine.Beat) {
	ctx, cancel := context.WithTimeout(ctx, scriptWait)
	defer cancel()
	t := w.Totals()
	b.Calls, b.Done, b.Failed, b.Running = t.Calls, t.Done, t.Failed, max(t.Calls-t.Done-t.Failed, 0)
	late := w.recent.sum(time.Now())
	b.Late = map[string]int64{}
	for i, n := range late {
		if n > 0 {
			b.Late[strconv.Itoa(i)] = n
		}
	}
	_, err := connect.Await(ctx, func() (struct{}, error) { return struct{}{}, w.wheel.Beat(ctx, w.id, &b) })
	w.beats.mu.Lock()
	defer w.beats.mu.Unlock()
	w.beats.err = err
	if err == nil {
		w.beats.at = time.Now()
	}
}

// Ready returns nil if Redis has accepted a heartbeat of the worker in the last rediswheel.WorkerSilence,
// and otherwise an error of one line. It is safe for concurrent use.
func (w *Worker) Ready() error {
	w.beats.mu.Lock()
	defer w.beats.mu.Unlock()
	switch {
	case w.beats.from.IsZero():
		return fmt.Errorf("the worker has not started")
	case time.Since(w.beats.at) <= rediswheel.WorkerSilence:
		return nil
	case w.beats.err != nil:
		return connect.Explain(w.beats.err, w.wheel.Addr())
	}
	return fmt.Errorf("no heartbeat was accepted by Redis in the last %v", rediswheel.WorkerSilence)
}

// recentLate contains the lateness of the tasks delivered in the last recentMinutes minutes, counted by minute. The
// counts of minute m are in minutes[m%recentMinutes].
type recentLate struct {
	mu      sync.Mutex
	minutes [recentMinutes]struct {
		minute int64 // Unix time in minutes
		late   rediswheel.Lateness
	}
}

func (l *recentLate) note(late time.Duration, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	minute := now.Unix() / 60
	m := &l.minutes[minute%recentMinutes]
	if m.minute != minute {
		m.minute, m.late = minute, rediswheel.Lateness{}
	}
	m.late.Note(late.Milliseconds())
}

func (l *recentLate) sum(now time.Time) (all rediswheel.Lateness) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.minutes {
		if now.Unix()/60-l.minutes[i].minute < recentMinutes {
			all.Add(&l.minutes[i].late)
		}
	}
	return all
}
