package redis

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Heartbeats of workers.
const (
	beatEvery     = 5 * time.Second
	beatWait      = 2 * time.Second        // for Redis to take one
	beatLast      = 500 * time.Millisecond // for the last one, as the worker ends
	beatForget    = 24 * time.Hour         // after which a worker that died is no longer listed
	workersMax    = 1000                   // that are listed
	WorkerSilence = 3 * beatEvery          // after which a worker counts as dead

	recentMinutes = 5 // of lateness that is recent
)

// beat is what a worker reports of itself.
type beat struct {
	Host        string           `json:"host"`
	PID         int              `json:"pid"`
	Started     time.Time        `json:"started"`
	Concurrency int              `json:"concurrency"`
	Running     int64            `json:"running"`
	Calls       int64            `json:"calls"`
	Done        int64            `json:"done"`
	Failed      int64            `json:"failed"`
	Late        map[string]int64 `json:"late,omitempty"` // Lateness of the last minutes, by bucket
}

// WorkerInfo is a worker as its heartbeats show it.
type WorkerInfo struct {
	ID          string
	Host        string
	PID         int
	Started     time.Time     // by the worker's clock
	Heard       time.Time     // the last heartbeat, by the clock of Redis
	Silent      time.Duration // since then
	Concurrency int
	Running     int64 // callbacks
	Calls       int64 // since it started, as Done and Failed
	Done        int64
	Failed      int64
	Late        Lateness // of the tasks it delivered in the last minutes
}

// Live reports whether the worker was heard of lately.
func (i *WorkerInfo) Live() bool { return i.Silent <= WorkerSilence }

// beats keeps when the last heartbeat was taken.
type beats struct {
	mu   sync.Mutex
	at   time.Time
	err  error
	from time.Time
}

// startBeats sends heartbeats until ctx ends. The function it returns waits for the last.
func (w *Worker) startBeats(ctx context.Context) (wait func()) {
	host, _ := os.Hostname()
	b := beat{Host: host, PID: os.Getpid(), Started: time.Now().UTC().Truncate(time.Second), Concurrency: w.o.Concurrency}
	w.beats.mu.Lock()
	w.beats.from = time.Now()
	w.beats.mu.Unlock()
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			w.sendBeat(ctx, b)
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), beatLast)
		defer cancel()
		_ = w.wheel.beat(last, w.id, "") // else it is seen as dead after a while
	})
	return all.Wait
}

func (w *Worker) sendBeat(ctx context.Context, b beat) {
	ctx, cancel := context.WithTimeout(ctx, beatWait)
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
	text, err := json.Marshal(b)
	if err == nil {
		err = w.wheel.beat(ctx, w.id, string(text))
	}
	w.beats.mu.Lock()
	defer w.beats.mu.Unlock()
	w.beats.err = err
	if err == nil {
		w.beats.at = time.Now()
	}
}

// Ready returns nil if Redis has taken a heartbeat of the worker lately, and else why not, in one line.
func (w *Worker) Ready() error {
	w.beats.mu.Lock()
	defer w.beats.mu.Unlock()
	switch {
	case w.beats.from.IsZero():
		return fmt.Errorf("the worker has not started")
	case time.Since(w.beats.at) <= WorkerSilence:
		return nil
	case w.beats.err != nil:
		return explain(w.beats.err, w.wheel.addr)
	}
	return fmt.Errorf("no heartbeat was taken by Redis in the last %v", WorkerSilence)
}

func (w *Wheel) workersKey() string { return w.name + ":workers" }

// beat notes a worker; an empty text removes it.
func (w *Wheel) beat(ctx context.Context, id, text string) error {
	return beatScript.Run(ctx, w.client, []string{w.workersKey()}, id, text, beatForget.Milliseconds(), workersMax).Err()
}

// Workers lists the workers of the wheel, live and dead, those that were heard of last first.
func (w *Wheel) Workers(ctx context.Context) ([]WorkerInfo, error) {
	reply, err := workersScript.Run(ctx, w.client, []string{w.workersKey()}).Slice()
	if err != nil {
		return nil, explain(err, w.addr)
	}
	r := &reader{list: reply}
	now := r.int()
	var list []WorkerInfo
	for r.more() {
		id, value := r.text(), r.text()
		ms, text, _ := strings.Cut(value, " ")
		at, err := strconv.ParseInt(ms, 10, 64)
		var b beat
		if err != nil || json.Unmarshal([]byte(text), &b) != nil {
			continue // of a newer version
		}
		list = append(list, b.info(id, at, now))
	}
	slices.SortFunc(list, func(a, b WorkerInfo) int { return cmp.Or(b.Heard.Compare(a.Heard), cmp.Compare(a.ID, b.ID)) })
	return list, r.err
}

func (b *beat) info(id string, at, now int64) WorkerInfo {
	i := WorkerInfo{ID: id, Host: oneLine(b.Host), PID: b.PID, Started: b.Started, Heard: time.UnixMilli(at).UTC(),
		Silent: time.Duration(max(now-at, 0)) * time.Millisecond, Concurrency: b.Concurrency, Running: b.Running,
		Calls: b.Calls, Done: b.Done, Failed: b.Failed}
	for text, n := range b.Late {
		if bucket, err := strconv.Atoi(text); err == nil && bucket >= 0 && bucket < latenessBuckets {
			i.Late[bucket] = n
		}
	}
	return i
}

// recentLate counts the lateness of the last minutes.
type recentLate struct {
	mu      sync.Mutex
	minutes [recentMinutes]struct {
		minute int64 // since 1970
		late   Lateness
	}
}

func (l *recentLate) note(late time.Duration, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	minute := now.Unix() / 60
	m := &l.minutes[minute%recentMinutes]
	if m.minute != minute {
		m.minute, m.late = minute, Lateness{}
	}
	m.late.Note(late.Milliseconds())
}

func (l *recentLate) sum(now time.Time) (all Lateness) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.minutes {
		if now.Unix()/60-l.minutes[i].minute < recentMinutes {
			all.Add(&l.minutes[i].late)
		}
	}
	return all
}
