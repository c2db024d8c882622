package script

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/program"
)

// A source runs in a process of its own or, on the static site, in a worker, because the interpreter limits neither memory nor the time of its functions.
// ServeLane and ServeExam are what that process does.

// MemoryMax is by how many bytes the objects of such a process may grow. It is looked at every 20 ms.
const MemoryMax = 512 << 20

// watchMemory calls leave when the process has more than MemoryMax more than now, until stop is called.
func watchMemory(leave func(error)) (stop func()) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	limit := sample[0].Value.Uint64() + MemoryMax
	debug.SetMemoryLimit(int64(limit - MemoryMax/2)) // collects garbage before that
	ended := make(chan struct{})
	go func() {
		often := time.NewTicker(20 * time.Millisecond)
		defer often.Stop()
		for {
			select {
			case <-ended:
				return
			case <-often.C:
				if metrics.Read(sample); sample[0].Value.Uint64() > limit {
					leave(fmt.Errorf("more than %d MB of memory", MemoryMax>>20))
					return
				}
			}
		}
	}()
	return sync.OnceFunc(func() { close(ended) })
}

// ServeLane reads a scenario with one lane, an own wheel, from in, runs its source and writes an own.LaneReply to out. exit ends the
// process; it is called when the source cannot be ended otherwise.
func ServeLane(ctx context.Context, in io.Reader, out io.Writer, exit func()) error {
	answer := json.NewEncoder(out)
	leave := func(err error) {
		answer.Encode(own.LaneReply{Err: err.Error()})
		exit()
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	p, err := program.Load(data)
	if err != nil {
		return err
	}
	defer watchMemory(leave)()
	log, err := record(ctx, p, 0, leave)
	if err != nil {
		return answer.Encode(own.LaneReply{Err: err.Error()})
	}
	levels, told := log.Parts()
	return answer.Encode(own.LaneReply{Levels: levels, Data: told})
}

// ServeExam reads an own.Trial from in, judges its wheel and writes the own.Result to out, both as JSON. exit is as in ServeLane.
func ServeExam(ctx context.Context, in io.Reader, out io.Writer, exit func()) error {
	var t own.Trial
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return err
	}
	defer watchMemory(func(error) {
		json.NewEncoder(out).Encode(own.Ended("memory", own.Crashed, "more than %s MB of memory", MemoryMax>>20))
		exit()
	})()
	r, err := NewJudged(t.Name, t.Source, t.Seed).Try(ctx, &t.Exam)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}
