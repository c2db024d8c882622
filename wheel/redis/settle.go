package redis

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// ending is how an attempt ended, and so what Redis is told of the task.
type ending int

const (
	done     ending = iota // it is gone
	retried                // it is tried again
	deferred               // another worker, or this one later, may know it
	released               // this worker stopped
	buried                 // it is given up
	endings
)

// told is the ending as the worker's log has it.
func (e ending) told() string {
	return [endings]string{"delivered", "failed, to be tried again", "not for this worker, put back", "given back", "given up"}[e]
}

// result is an attempt's end.
type result struct {
	Failed
	end  ending
	late time.Duration
}

// settleAll tells Redis of results, as many at a time as have come, until there are no
// more. What Redis has not heard by the end of ctx lapses there in time.
func (h *holder) settleAll(ctx context.Context) {
	keeping, stop := context.WithCancel(ctx)
	var keeper sync.WaitGroup
	keeper.Go(func() { h.keepLeases(keeping) })
	defer keeper.Wait()
	defer stop()
	for r := range h.results {
		batch := h.gather(r)
		h.settle(ctx, batch)
		h.drop(batch)
	}
}

// gather adds to a result those that are there already.
func (h *holder) gather(first result) []result {
	batch := []result{first}
	for len(batch) < BatchMax {
		select {
		case r, ok := <-h.results:
			if !ok {
				return batch
			}
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// settle tells Redis of a batch, again and again until it has heard. To tell it twice
// does no harm: a claim ends once.
func (h *holder) settle(ctx context.Context, batch []result) {
	var byEnd [endings][]result
	for _, r := range batch {
		byEnd[r.end] = append(byEnd[r.end], r)
	}
	for end, list := range byEnd {
		for again := againFirst; len(list) > 0; again = min(2*again, againMax) {
			err := h.send(ctx, ending(end), list)
			if ctx.Err() != nil {
				break
			}
			h.log.tell("settle", explain(err, h.w.wheel.addr))
			if err == nil {
				break
			}
			select {
			case <-time.After(again):
			case <-ctx.Done():
			}
		}
	}
}

// send runs the script of an ending.
func (h *holder) send(ctx context.Context, end ending, list []result) error {
	ctx, cancel := context.WithTimeout(ctx, scriptWait)
	defer cancel()
	var err error
	switch end {
	case done:
		var late Lateness
		holds := make([]Hold, len(list))
		for i, r := range list {
			holds[i] = r.Hold
			late.Note(r.late.Milliseconds())
		}
		_, err = h.shard.Ack(ctx, holds, late.counts())
	case buried:
		err = h.w.markDead(ctx, h.shard, failures(list))
	default:
		why := map[ending]string{retried: Retried, deferred: Deferred, released: Released}[end]
		_, err = h.shard.Later(ctx, why, failures(list))
	}
	return err
}

func failures(list []result) []Failed {
	failed := make([]Failed, len(list))
	for i, r := range list {
		failed[i] = r.Failed
	}
	return failed
}

// teller tells of trouble with Redis once, and once that all of it is over. Several ask at
// the same time, and one may be refused what another is given.
type teller struct {
	log *slog.Logger

	mu      sync.Mutex
	trouble map[string]string // of who asks, while it lasts
}

// tell takes what a script ended with, and who ran it.
func (t *teller) tell(who string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		_, was := t.trouble[who]
		delete(t.trouble, who)
		if was && len(t.trouble) == 0 {
			t.log.Info("Redis answers again")
		}
		return
	}
	text := oneLine(err.Error())
	told := slices.Contains(slices.Collect(maps.Values(t.trouble)), text)
	t.trouble[who] = text
	if !told {
		t.log.Error(text + "; the worker keeps trying")
	}
}
