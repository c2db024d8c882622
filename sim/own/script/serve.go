package script

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// A source runs in a process of its own, because the interpreter limits neither memory nor the time of its functions.
// ServeLane and ServeExam are what that process does.

// MemoryMax is how many bytes of objects such a process may have. It is looked at every 20 ms.
const MemoryMax = 512 << 20

// watchMemory calls leave when the process has more than MemoryMax, until stop is called.
func watchMemory(leave func(error)) (stop func()) {
	debug.SetMemoryLimit(MemoryMax / 2) // collects garbage before that
	ended := make(chan struct{})
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		often := time.NewTicker(20 * time.Millisecond)
		defer often.Stop()
		for {
			select {
			case <-ended:
				return
			case <-often.C:
				if metrics.Read(sample); sample[0].Value.Uint64() > MemoryMax {
					leave(fmt.Errorf("more than %d MB of memory", MemoryMax>>20))
					return
				}
			}
		}
	}()
	return sync.OnceFunc(func() { close(ended) })
}

// laneRequest is a line to ServeLane: the first starts the source, the others are calls.
type laneRequest struct {
	Source string     `json:"source,omitempty"`
	Start  wheel.Tick `json:"start,omitempty"`
	Slots  int        `json:"slots,omitempty"`
	Levels int        `json:"levels,omitempty"`
	Do     string     `json:"do,omitempty"`
	Now    wheel.Tick `json:"now,omitempty"`
	To     wheel.Tick `json:"to,omitempty"` // of a schedule: the due tick
	Key    uint32     `json:"key,omitempty"`
}

// laneReply is the answer to a line.
type laneReply struct {
	Levels []wheel.Level `json:"levels,omitempty"`
	recorded.Answer
	Err string `json:"error,omitempty"`
}

// ServeLane runs the source in the first line of in and answers the calls in those that follow, until in ends or a call fails.
// Client is the other end. exit ends the process; it is called when a call cannot be ended otherwise.
func ServeLane(in io.Reader, out io.Writer, exit func()) error {
	answers := json.NewEncoder(out)
	leave := func(err error) {
		answers.Encode(laneReply{Err: err.Error()})
		exit()
	}
	defer watchMemory(leave)()
	lines := json.NewDecoder(in)
	var l *Lane
	for {
		var r laneRequest
		if err := lines.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var reply laneReply
		var err error
		switch {
		case l == nil:
			if l, err = NewLane(r.Source, r.Start, r.Slots, r.Levels, leave); err == nil {
				defer l.Close()
				reply.Levels = l.Levels
			}
		case r.Do == "schedule":
			reply.Answer, err = l.Schedule(r.Now, r.To, r.Key)
		case r.Do == "cancel":
			reply.Answer, err = l.Cancel(r.Now, r.Key)
		default:
			reply.Answer, err = l.Advance(r.Now, r.To)
		}
		if err != nil {
			return answers.Encode(laneReply{Err: err.Error()})
		}
		if err := answers.Encode(&reply); err != nil {
			return err
		}
	}
}

// Client is a source that ServeLane runs in another process. It implements recorded.Source.
type Client struct {
	in    *json.Encoder
	out   *bufio.Reader
	ended func() error
}

// NewClient starts source behind in and out, and returns its levels. ended returns why the other end has closed out.
func NewClient(in io.Writer, out io.Reader, ended func() error, source string, start wheel.Tick, slots, levels int) (*Client, []wheel.Level, error) {
	c := &Client{json.NewEncoder(in), bufio.NewReaderSize(out, 64<<10), ended}
	r, err := c.call(laneRequest{Source: source, Start: start, Slots: slots, Levels: levels})
	return c, r.Levels, err
}

func (c *Client) call(r laneRequest) (reply laneReply, err error) {
	err = c.in.Encode(r)
	var line []byte
	if err == nil {
		line, err = c.out.ReadBytes('\n')
	}
	if err != nil {
		return reply, c.ended()
	}
	if err := json.Unmarshal(line, &reply); err != nil {
		return reply, err
	}
	if reply.Err != "" {
		return reply, errors.New(reply.Err)
	}
	return reply, nil
}

// Schedule implements recorded.Source.
func (c *Client) Schedule(now, due wheel.Tick, key uint32) (recorded.Answer, error) {
	r, err := c.call(laneRequest{Do: "schedule", Now: now, To: due, Key: key})
	return r.Answer, err
}

// Cancel implements recorded.Source.
func (c *Client) Cancel(now wheel.Tick, key uint32) (recorded.Answer, error) {
	r, err := c.call(laneRequest{Do: "cancel", Now: now, Key: key})
	return r.Answer, err
}

// Advance implements recorded.Source.
func (c *Client) Advance(from, to wheel.Tick) (recorded.Answer, error) {
	r, err := c.call(laneRequest{Do: "advance", Now: from, To: to})
	return r.Answer, err
}

// ServeExam reads an own.Trial from in, judges its wheel and writes the own.Result to out, both as JSON. exit is as in ServeLane.
func ServeExam(ctx context.Context, in io.Reader, out io.Writer, exit func()) error {
	var t own.Trial
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return err
	}
	defer watchMemory(func(err error) {
		g := own.GroupResult{Name: "memory", Weight: 1, Fault: &own.Fault{Kind: own.Crashed, Text: err.Error()}, Shrunk: &own.Case{}}
		json.NewEncoder(out).Encode(own.Result{Groups: []own.GroupResult{g}})
		exit()
	})()
	r, err := NewJudged(t.Name, t.Source, t.Seed).Try(ctx, &t.Exam)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}
