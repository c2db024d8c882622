//go:build linux

package faults

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/redis"
)

const (
	addsMax   = 64                     // under way at a time
	addWait   = 5 * time.Second        // of one add
	addAgain  = 100 * time.Millisecond // before one that failed is sent again
	addGiveUp = 30 * time.Second       // after which a task is not added any more
)

// producer adds tasks one at a time while a fault occurs, as a program would: an add that
// fails is sent again.
type producer struct {
	s     *scene
	ahead time.Duration // from the first try to add a task until it is due
	adds  sync.WaitGroup
	slots chan struct{}

	mu       sync.Mutex
	wheel    *redis.Wheel
	errors   int
	last     time.Time // when the last add failed
	lastText string
}

// produce adds perSecond tasks per second over a time.
func (s *scene) produce(prefix string, perSecond int, over, ahead time.Duration) *producer {
	p := &producer{s: s, ahead: ahead, slots: make(chan struct{}, addsMax), wheel: s.wheel(0)}
	began := time.Now()
	n := int(over.Seconds() * float64(perSecond))
	p.adds.Go(func() {
		for i := range n {
			until(began.Add(time.Duration(i) * over / time.Duration(n)))
			p.slots <- struct{}{}
			p.adds.Go(func() {
				defer func() { <-p.slots }()
				p.add(fmt.Sprint(prefix, "-", i))
			})
		}
	})
	return p
}

// add adds one task, with further tries if it fails.
func (p *producer) add(key string) {
	due := time.Now().Add(p.ahead)
	p.s.mu.Lock()
	t := &task{due: due}
	p.s.tasks[key] = t
	p.s.mu.Unlock()
	for limit := time.Now().Add(addGiveUp); time.Now().Before(limit); time.Sleep(addAgain) {
		w, sent := p.current(), time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), addWait)
		err := w.AddTask(ctx, key, to(p.s.receiver.url()), due)
		cancel()
		p.s.mu.Lock()
		t.tries++
		if err == nil {
			t.sent, t.added = sent, time.Now()
		}
		p.s.mu.Unlock()
		if err == nil {
			return
		}
		p.failed(w, err)
	}
}

func (p *producer) current() *redis.Wheel {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wheel
}

// failed notes an error. A wheel that has another number of shards by now is opened again.
func (p *producer) failed(w *redis.Wheel, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors, p.last, p.lastText = p.errors+1, time.Now(), err.Error()
	if !errors.Is(err, redis.ErrShards) && !errors.Is(err, redis.ErrNone) || p.wheel != w {
		return
	}
	if again, err := p.s.open(0); err == nil {
		p.wheel = again
	}
}

// wait waits until all tasks were added or given up, and reports the failures.
func (p *producer) wait() {
	p.adds.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.errors > 0 {
		p.s.say("%d adds failed (%.80s)", p.errors, p.lastText)
	}
}
