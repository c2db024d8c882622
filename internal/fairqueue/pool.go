package fairqueue

import (
	"slices"
	"sync"
	"time"
)

// Pool grants a fixed number of turns to several queues. A turn is permission to use a processor. Of the
// queues with waiting work, the one that has used the least time relative to its share gets the next turn. A
// turn becomes overdue when it has been held for at least [Overdue] and work is waiting. Pool then grants an
// additional turn until the overdue turn is released.
type Pool struct {
	mu     sync.Mutex // guards the pool and its queues
	queues []*Queue
	free   int // number of turns that can still be granted; turns that are lent (see Turn.lent) do not count as granted
	// virtual is the virtual time of the pool: the largest value that Queue.used of any queue had when that queue
	// granted a turn. When work starts to wait in a queue, Queue.used of the queue is raised to virtual if it is
	// less, so that a queue does not save up time while it has no work.
	virtual time.Duration
	overdue *time.Timer // timer that calls replaceOverdue
	lending bool        // whether a call to replaceOverdue is scheduled
}

// NewPool returns a pool with the given number of turns, or one turn if turns is less than 1.
func NewPool(turns int) *Pool { return &Pool{free: max(turns, 1)} }

func (p *Pool) add(q *Queue) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queues = append(p.queues, q)
}

// grant grants turns to waiting work until no turn is free or no work is waiting.
func (p *Pool) grant() {
	for p.free > 0 {
		q := p.next()
		if q == nil {
			return
		}
		q.admit()
	}
}

// next returns the queue to which the next turn should be granted, or nil if no queue has both waiting work
// and a free turn.
func (p *Pool) next() (best *Queue) {
	for _, q := range p.queues {
		if q.free > 0 && len(q.waiting) > 0 && (best == nil || q.used < best.used) {
			best = q
		}
	}
	return best
}

// waits reports whether work is waiting in any queue of the pool.
func (p *Pool) waits() bool {
	return slices.ContainsFunc(p.queues, func(q *Queue) bool { return len(q.waiting) > 0 })
}

// busy is like waits, for callers that do not hold p.mu.
func (p *Pool) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waits()
}

// scheduleReplacement schedules a call to replaceOverdue after a delay of Overdue, if work is waiting and no
// such call is scheduled yet.
func (p *Pool) scheduleReplacement() {
	if p.lending || !p.waits() {
		return
	}
	p.lending = true
	if p.overdue == nil {
		p.overdue = time.AfterFunc(Overdue, p.replaceOverdue)
		return
	}
	p.overdue.Reset(Overdue)
}

// replaceOverdue lends each turn that has been held for at least Overdue, if work is waiting: it sets
// Turn.lent and makes an additional turn available in place of the lent one. It then grants free turns to
// waiting work. A queue has at most lendMax lent turns at a time. If work is still waiting afterwards,
// replaceOverdue schedules another call to itself.
func (p *Pool) replaceOverdue() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lending = false
	waits := p.waits()
	for _, q := range p.queues {
		for _, t := range q.held {
			if waits && !t.lent && q.lent < q.lendMax && time.Since(t.since) >= Overdue {
				t.lent = true
				q.lent++
				q.free++
				p.free++
			}
		}
	}
	p.grant()
	p.scheduleReplacement()
}
