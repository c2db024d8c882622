package engine

import (
	"context"
	"encoding/json"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// Scripts of a wheel that do not begin with common.lua.
var (
	beatScript    = goredis.NewScript(source("beat"))
	workersScript = goredis.NewScript(source("workers"))
)

// Times and limits of heartbeats.
const (
	BeatEvery  = 5 * time.Second // time between two heartbeats of a worker
	beatForget = 24 * time.Hour  // time without heartbeats after which a worker is no longer listed
	workersMax = 1000            // maximum number of workers whose heartbeats are stored
)

// Beat is the content of a heartbeat. A worker stores a heartbeat in Redis every [BeatEvery].
type Beat struct {
	Host        string    `json:"host"`
	PID         int       `json:"pid"`
	Started     time.Time `json:"started"`
	Concurrency int       `json:"concurrency"`
	Running     int64     `json:"running"`
	Calls       int64     `json:"calls"`
	Done        int64     `json:"done"`
	Failed      int64     `json:"failed"`
	// Late is a histogram of the lateness of the tasks delivered in the last few minutes. The keys are
	// indexes of rediswheel.Lateness in decimal; empty buckets are omitted.
	Late map[string]int64 `json:"late,omitempty"`
}

// Beat stores b as the heartbeat of the worker with the given ID, or removes the heartbeat if b is nil.
func (w *Wheel) Beat(ctx context.Context, worker string, b *Beat) error {
	text := ""
	if b != nil {
		line, err := json.Marshal(b)
		if err != nil {
			return err
		}
		text = string(line)
	}
	return beatScript.Run(ctx, w.client, []string{w.name + ":workers"}, worker, text, beatForget.Milliseconds(), workersMax).Err()
}

// Beats returns the reply of scripts/workers.lua, the last heartbeats of all workers.
func (w *Wheel) Beats(ctx context.Context) (*Reader, error) {
	answer, err := workersScript.Run(ctx, w.client, []string{w.name + ":workers"}).Slice()
	return &Reader{List: answer}, connect.Explain(err, w.addr)
}
