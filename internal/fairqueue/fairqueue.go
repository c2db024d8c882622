// Package fairqueue shares the processors between clients. Heavy work is done in
// turns: there are fewer turns than processors, a turn is given away after a
// slice of time if others wait, and of the clients that wait the one that has used
// the least time is first (start-time fair queueing, Goyal, Vin and Cheng 1996).
//
// A turn travels in a context.Context. Work calls [Pace] often, which gives the
// turn away and takes it again when that is due, and returns an error when the
// work is to stop. Waiting for something else, such as a socket or another
// goroutine, is done in [Outside], so that no client waits for one that waits.
//
// Some work cannot call Pace for a while: it sorts, or decodes a long text. A turn
// that others wait for is lent after Overdue: one more piece of work is admitted until
// it is given away.
package fairqueue

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
)

// Limits of a queue.
const (
	Slice      = 10 * time.Millisecond // a turn is given away after so long if others wait, unless Options say otherwise
	Overdue    = 40 * time.Millisecond // a turn is lent after so long without a call of Pace
	WaitingMax = 4096                  // work that waits for a turn, of all clients
	clientsMax = 1024                  // clients whose time is remembered while they have no work
)

// ErrBusy reports that WaitingMax others wait already.
var ErrBusy = errors.New("fairqueue: too much work is waiting")

// Queue gives turns to clients. Its methods may be called by any number of
// goroutines.
type Queue struct {
	slice time.Duration
	entry time.Duration

	mu      sync.Mutex
	free    int // turns that are not taken, those lent included
	lendMax int // turns that may be lent at a time
	lent    int
	held    map[*Turn]*hold
	lending bool // lend will be called
	clients map[string]*client
	waiting []*waiter     // in order of arrival
	virtual time.Duration // the client time at which the latest turn began
}

// client is the state of one client: the time it has used, on the scale of
// Queue.virtual.
type client struct {
	used   time.Duration
	active int // turns taken and waiters
}

// waiter is work that waits for its turn.
type waiter struct {
	turn  *Turn
	ready chan struct{} // closed when it has the turn
}

// hold is a turn that is taken.
type hold struct {
	since time.Time
	lent  bool // another has been admitted in its place
}

// Options describe a queue.
type Options struct {
	Turns int           // at a time, 1 or more
	Slice time.Duration // after which a turn is given away if others wait; 0: Slice
	// Entry is the time that a new client is charged at its start, so that many new
	// ones do not delay those that have used less.
	Entry time.Duration
}

// New returns a queue of so many turns at a time, 1 or more.
func New(turns int) *Queue { return NewWith(Options{Turns: turns}) }

// NewWith returns a queue.
func NewWith(o Options) *Queue {
	turns := max(o.Turns, 1)
	return &Queue{slice: cmp.Or(o.Slice, Slice), entry: o.Entry, free: turns, lendMax: turns, held: map[*Turn]*hold{}, clients: map[string]*client{}}
}

type clientKey struct{}
type priceKey struct{}
type turnKey struct{}

// WithClient returns a context whose work is charged to the client name.
// Work without a client is charged to a client of its own.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

// Client returns the name that WithClient gave, "" if there is none.
func Client(ctx context.Context) string {
	name, _ := ctx.Value(clientKey{}).(string)
	return name
}

// WithPrice returns a context whose turns are charged n times their duration, n 1 or more: the
// client gets that much less time than others while they wait.
func WithPrice(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, priceKey{}, n)
}

// price returns the factor that WithPrice gave, 1 if there is none.
func price(ctx context.Context) time.Duration {
	n, _ := ctx.Value(priceKey{}).(int)
	return time.Duration(max(n, 1))
}

// Enter waits for a turn and returns a context that carries it. leave ends it.
// leave may be called more than once.
// A context that carries a turn of q already is returned as it is, so that work can be
// nested. A turn of another queue is given away until leave is called.
// The error is the context's or ErrBusy.
func (q *Queue) Enter(ctx context.Context) (turn context.Context, leave func(), err error) {
	outer, nested := ctx.Value(turnKey{}).(*Turn)
	if nested && outer.queue == q {
		return ctx, func() {}, ctx.Err()
	}
	again := func() {}
	if nested {
		outer.giveAway()
		again = sync.OnceFunc(func() { outer.takeAgain(ctx) })
	}
	t := &Turn{queue: q, client: q.client(Client(ctx)), price: price(ctx)}
	if err := t.acquire(ctx); err != nil {
		q.forget(t.client)
		again()
		return ctx, func() {}, err
	}
	return context.WithValue(ctx, turnKey{}, t), func() {
		t.leave()
		again()
	}, nil
}

// client returns the client of a name, with one more piece of work.
func (q *Queue) client(name string) *client {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := q.clients[name]
	if c == nil || name == "" {
		c = &client{used: q.virtual + q.entry}
		if name != "" {
			q.sweep()
			q.clients[name] = c
		}
	}
	c.active++
	return c
}

// forget ends a piece of work of a client.
func (q *Queue) forget(c *client) {
	q.mu.Lock()
	defer q.mu.Unlock()
	c.active--
}

// sweep drops clients without work, so that the map stays bounded: first those whose
// time is past, which costs them nothing.
func (q *Queue) sweep() {
	if len(q.clients) < clientsMax {
		return
	}
	for name, c := range q.clients {
		if c.active == 0 && c.used <= q.virtual {
			delete(q.clients, name)
		}
	}
	for name, c := range q.clients {
		if len(q.clients) < clientsMax {
			return
		}
		if c.active == 0 {
			delete(q.clients, name)
		}
	}
}

// wait puts a turn into the line.
func (q *Queue) wait(t *Turn) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= WaitingMax {
		return nil, ErrBusy
	}
	w := q.line(t)
	q.grant()
	q.lendLater()
	return w, nil
}

// line puts a turn at the end of the line.
func (q *Queue) line(t *Turn) *waiter {
	w := &waiter{turn: t, ready: make(chan struct{})}
	t.client.used = max(t.client.used, q.virtual) // time without work earns nothing
	q.waiting = append(q.waiting, w)
	return w
}

// cancel takes a waiter out of the line; false if it has the turn already.
func (q *Queue) cancel(w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, o := range q.waiting {
		if o == w {
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// end takes back a turn that lasted d.
func (q *Queue) end(t *Turn, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takeBack(t, d)
	q.grant()
}

// renew takes back a turn that lasted d and puts it into the line: of those who wait, only clients
// that have used less go first.
func (q *Queue) renew(t *Turn, d time.Duration) *waiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takeBack(t, d)
	w := q.line(t)
	q.grant()
	q.lendLater()
	return w
}

func (q *Queue) takeBack(t *Turn, d time.Duration) {
	t.client.used += d * t.price
	h := q.held[t]
	delete(q.held, t)
	if h.lent {
		q.lent--
	} else {
		q.free++
	}
}

// lendLater has turns lent when the first of them is overdue, if work is waiting.
func (q *Queue) lendLater() {
	if q.lending || len(q.waiting) == 0 {
		return
	}
	q.lending = true
	time.AfterFunc(Overdue, q.lend)
}

// lend admits other work in the place of turns that are overdue.
func (q *Queue) lend() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lending = false
	for _, h := range q.held {
		if !h.lent && q.lent < q.lendMax && len(q.waiting) > 0 && time.Since(h.since) >= Overdue {
			h.lent = true
			q.lent++
			q.free++
		}
	}
	q.grant()
	q.lendLater()
}

// grant gives free turns to the clients that have used the least time; of equals to
// the one that has waited longest.
func (q *Queue) grant() {
	for q.free > 0 && len(q.waiting) > 0 {
		best := 0
		for i, w := range q.waiting {
			if w.turn.client.used < q.waiting[best].turn.client.used {
				best = i
			}
		}
		w := q.waiting[best]
		q.waiting = append(q.waiting[:best], q.waiting[best+1:]...)
		q.virtual = max(q.virtual, w.turn.client.used)
		q.free--
		q.held[w.turn] = &hold{since: time.Now()}
		close(w.ready)
	}
}
