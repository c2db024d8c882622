package rediswheel

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// WorkerSilence is the time without heartbeats after which a worker counts as dead.
const WorkerSilence = 3 * engine.BeatEvery

// WorkerInfo describes a worker as of its last heartbeat.
type WorkerInfo struct {
	ID             string
	Host           string
	PID            int
	Started        time.Time     // time at which the worker started, by its own clock
	LastHeartbeat  time.Time     // time of the last heartbeat, by the clock of Redis
	SinceHeartbeat time.Duration // time since LastHeartbeat
	Concurrency    int
	Running        int64    // number of running callbacks
	Calls          int64    // number of calls since the worker started
	Done           int64    // number of calls that succeeded
	Failed         int64    // number of failures, including tasks that could not be called
	Late           Lateness // lateness of the tasks delivered in the last few minutes
}

// Live reports whether the last heartbeat is at most WorkerSilence old.
func (i *WorkerInfo) Live() bool { return i.SinceHeartbeat <= WorkerSilence }

// Workers returns the live and dead workers of the wheel, most recent heartbeat first.
func (w *Wheel) Workers(ctx context.Context) ([]WorkerInfo, error) {
	r, err := w.engine.Beats(ctx)
	if err != nil {
		return nil, err
	}
	now := r.Int()
	var list []WorkerInfo
	for r.More() {
		id, value := r.Text(), r.Text()
		ms, text, _ := strings.Cut(value, " ")
		at, err := strconv.ParseInt(ms, 10, 64)
		var b engine.Beat
		if err != nil || json.Unmarshal([]byte(text), &b) != nil {
			continue // not of this package
		}
		list = append(list, newWorkerInfo(id, &b, at, now))
	}
	slices.SortFunc(list, func(a, b WorkerInfo) int {
		return cmp.Or(b.LastHeartbeat.Compare(a.LastHeartbeat), cmp.Compare(a.ID, b.ID))
	})
	return list, r.Err
}

func newWorkerInfo(id string, b *engine.Beat, at, now int64) WorkerInfo {
	i := WorkerInfo{ID: id, Host: connect.OneLine(b.Host), PID: b.PID, Started: b.Started, LastHeartbeat: time.UnixMilli(at).UTC(),
		SinceHeartbeat: time.Duration(max(now-at, 0)) * time.Millisecond, Concurrency: b.Concurrency, Running: b.Running,
		Calls: b.Calls, Done: b.Done, Failed: b.Failed}
	for text, n := range b.Late {
		if bucket, err := strconv.Atoi(text); err == nil && bucket >= 0 && bucket < latenessBuckets {
			i.Late[bucket] = n
		}
	}
	return i
}
