//go:build linux

package faults

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

const (
	addsMax   = 64                     // maximum number of adds in progress
	addWait   = 5 * time.Second        // of one add
	addAgain  = 100 * time.Millisecond // wait before a failed add is sent again
	addGiveUp = 30 * time.Second       // time after which an add is given up
)

// producer adds tasks while a fault occurs, and retries failed adds as a real program does.
type producer struct {
	s     *scene
	ahead time.Duration // time from the first attempt to add a task until it is due
	adds  sync.WaitGroup
	slots chan struct{}

	mu       sync.Mutex
	wheel    *rediswheel.Wheel
	errors   int
	last     time.Time // time of the last failed add
	lastText string
}

// produce adds perSecond tasks per second for a time.
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

// add adds one task, and retries if that fails.
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

func (p *producer) current() *rediswheel.Wheel {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wheel
}

// failed records an error. It reopens a wheel whose number of shards has changed.
func (p *producer) failed(w *rediswheel.Wheel, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors, p.last, p.lastText = p.errors+1, time.Now(), err.Error()
	if !errors.Is(err, rediswheel.ErrShards) && !errors.Is(err, rediswheel.ErrNone) || p.wheel != w {
		return
	}
	if again, err := p.s.open(0); err == nil {
		p.wheel = again
	}
}

// wait waits until all tasks are added or given up, and reports the failures.
func (p *producer) wait() {
	p.adds.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.errors > 0 {
		p.s.say("%d adds failed (%.80s)", p.errors, p.lastText)
	}
}
