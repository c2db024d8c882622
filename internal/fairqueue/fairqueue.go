// Package fairqueue shares the processors between clients. Heavy work is done in turns. There are
// fewer turns than processors, and a turn is given away after a time slice if other work waits. Of
// the waiting clients, the one that has used the least time is first (start-time fair queueing,
// Goyal, Vin and Cheng 1996).
//
// The turn is in a context.Context. Work calls [Pace] often. When the slice is over, Pace gives the
// turn away and acquires it again; it returns an error when the work must stop. Work that waits for
// something else, such as a socket or another goroutine, does so in [Outside], so that it holds no
// turn while it waits.
//
// The queues of one [Pool] share its turns by the same rule, so that work of one kind does not
// delay work of another (hierarchical start-time fair queueing, Goyal, Guo and Vin 1996).
//
// Some work cannot call Pace for a while, such as sorting, or decoding a long text. If other work
// waits, its turn is lent after Overdue: one more piece of work is admitted until the turn is given
// away.
package fairqueue

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Limits of a queue.
const (
	Slice      = 10 * time.Millisecond // default of Options.Slice
	Overdue    = 20 * time.Millisecond // time without a call of Pace after which another turn is granted in place of this one
	WaitingMax = 4096                  // maximum number of pieces of work that wait for a turn, of all clients
	clientsMax = 1024                  // clients whose time is remembered while they have no work
)

// ErrBusy is returned if WaitingMax pieces of work are waiting already.
var ErrBusy = errors.New("fairqueue: too much work is waiting")

// Queue grants turns to clients. Its methods may be called concurrently.
type Queue struct {
	pool  *Pool
	share time.Duration // see Options
	slice time.Duration
	entry time.Duration

	// Guarded by pool.mu. Memory is allocated before pool.mu is locked: a goroutine that allocates
	// may have to help the garbage collector, or be preempted, while all others wait for pool.mu.
	free    int // number of turns that are not taken, including lent ones
	lendMax int // maximum number of turns lent at a time
	lent    int
	held    []*Turn
	clients map[string]*client
	waiting []*Turn       // turns that wait, in order of arrival
	virtual time.Duration // the client time at which the latest turn began
	used    time.Duration // time used by all clients, divided by the shares, on the scale of Pool.virtual
}

// client is the state of a client: the time that it has used, on the scale of Queue.virtual.
type client struct {
	used   time.Duration
	next   time.Duration // expected length of its next slice
	active int           // number of turns taken and of waiters
}

// Options configures a queue.
type Options struct {
	Pool  *Pool         // pool that grants the turns; nil means a new pool of Turns turns
	Turns int           // maximum number of turns granted at a time, at least 1
	Share int           // share of the pool's time relative to its other queues; 0 means 1
	Slice time.Duration // time after which a turn passes to other waiting work; 0 means the constant Slice
	// Entry is the time that a new client is charged at its start, so that many new clients do
	// not delay those that have used less.
	Entry time.Duration
}

// New returns a queue with the given number of turns, which must be at least 1.
func New(turns int) *Queue { return NewWith(Options{Turns: turns}) }

// NewWith returns a queue with the given options.
func NewWith(o Options) *Queue {
	turns := max(o.Turns, 1)
	if o.Pool == nil {
		o.Pool = NewPool(turns)
	}
	q := &Queue{pool: o.Pool, share: time.Duration(max(o.Share, 1)), slice: cmp.Or(o.Slice, Slice), entry: o.Entry, free: turns, lendMax: turns,
		held: make([]*Turn, 0, 2*turns), clients: make(map[string]*client, clientsMax), waiting: make([]*Turn, 0, clientsMax)}
	o.Pool.add(q)
	return q
}

// Pool returns the pool of the queue's turns.
func (q *Queue) Pool() *Pool { return q.pool }

type clientKey struct{}
type turnKey struct{}

// WithClient returns a context whose work is charged to the named client. Work without a client is charged to
// a new one.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

// Client returns the name given to WithClient, or "" if there is none.
func Client(ctx context.Context) string {
	name, _ := ctx.Value(clientKey{}).(string)
	return name
}

// Enter waits for a turn and returns a context that carries it. leave ends the turn and may be called more
// than once. If ctx already carries a turn of q, Enter returns ctx, so that work can be nested. A turn of
// another queue is given up until leave is called. The error is that of ctx or ErrBusy.
func (q *Queue) Enter(ctx context.Context) (turn context.Context, leave func(), err error) {
	outer, nested := ctx.Value(turnKey{}).(*Turn)
	if nested && outer.queue == q {
		return ctx, func() {}, ctx.Err()
	}
	again := func() {}
	if nested {
		outer.suspend()
		again = sync.OnceFunc(func() { outer.resume(ctx) })
	}
	t := &Turn{queue: q, client: q.client(Client(ctx)), ready: make(chan struct{}, 1)}
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

// client returns the named client and increments the number of its pieces of work.
func (q *Queue) client(name string) *client {
	fresh := &client{active: 1, next: q.slice}
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	if c := q.clients[name]; c != nil {
		c.active++
		return c
	}
	fresh.used = q.virtual + q.entry
	if name != "" {
		q.sweep()
		q.clients[name] = fresh
	}
	return fresh
}

// forget decrements the number of pieces of work of c.
func (q *Queue) forget(c *client) {
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	c.active--
}

// sweep removes clients without work, so that the size of the map is bounded. It first removes those whose
// time is in the past, since removing them changes nothing for them.
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

// wait adds t to the waiting turns, or returns ErrBusy if WaitingMax turns are waiting already.
func (q *Queue) wait(t *Turn) error {
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	if len(q.waiting) >= WaitingMax {
		return ErrBusy
	}
	q.line(t)
	return nil
}

// line appends t to the waiting turns and grants free turns.
func (q *Queue) line(t *Turn) {
	t.client.used = max(t.client.used, q.virtual) // a client does not save up time without work
	q.used = max(q.used, q.pool.virtual)          // nor does a queue, nor time in which its turns were overdue
	q.waiting = append(q.waiting, t)
	q.pool.grant()
	q.pool.scheduleReplacement()
}

// cancel removes t from the waiting turns. It returns false if t has been granted.
func (q *Queue) cancel(t *Turn) bool {
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	i := slices.Index(q.waiting, t)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// end frees t, which lasted for d.
func (q *Queue) end(t *Turn, d time.Duration) {
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	q.endTurn(t, d)
	q.pool.grant()
}

// renew frees t, which lasted for d, and adds it to the waiting turns. Only turns of clients that have used
// less time are granted before it.
func (q *Queue) renew(t *Turn, d time.Duration) {
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	q.endTurn(t, d)
	q.line(t)
}

func (q *Queue) endTurn(t *Turn, d time.Duration) {
	t.used += d
	t.client.used += d
	t.client.next = min(d, q.slice)
	q.used += min(d, Overdue) / q.share // after that the turn was lent, or no work waited
	i := slices.Index(q.held, t)
	q.held = slices.Delete(q.held, i, i+1)
	if t.lent {
		q.lent--
	} else {
		q.free++
		q.pool.free++
	}
}

// first returns the index of the waiting turn to be granted next. It is a turn of the client whose next
// slice is expected to end first, so that a client that needs a millisecond does not wait for all that
// arrived at the same time. If the client has several pieces of work waiting, the one that has used the
// least time is first, and of those the one that has waited longest.
func (q *Queue) first() int {
	best := 0
	for i, t := range q.waiting {
		b := q.waiting[best]
		next, least := t.client.used+t.client.next, b.client.used+b.client.next
		if next < least || t.client == b.client && t.used < b.used {
			best = i
		}
	}
	return best
}

// admit grants a free turn of the queue and of its pool to the first waiting turn.
func (q *Queue) admit() {
	i := q.first()
	t := q.waiting[i]
	q.waiting = slices.Delete(q.waiting, i, i+1)
	q.virtual = max(q.virtual, t.client.used)
	q.pool.virtual = max(q.pool.virtual, q.used)
	q.free--
	q.pool.free--
	t.since, t.lent = time.Now(), false
	q.held = append(q.held, t)
	t.ready <- struct{}{} // has capacity 1
}
