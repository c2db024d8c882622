// Package fairqueue shares the processors among clients. A job, which is work that needs a lot of processor
// time, must hold a turn, and the number of turns is limited. When the time slice of a turn is over, the turn
// passes to other work that is waiting. Of the waiting clients, the one that has used the least time comes
// first (start-time fair queueing, Goyal, Vin and Cheng 1996).
//
// A context.Context carries the turn. Work must call [Pace] often. When the time slice is over, Pace
// releases the turn and acquires it again; it returns an error if the work must stop. Work that waits for
// something else, such as a socket or another goroutine, does so in [Outside], which releases the turn in
// the meantime.
//
// The queues of one [Pool] share its turns by the same rule, so that work of one kind does not delay work
// of another (hierarchical start-time fair queueing, Goyal, Guo and Vin 1996).
//
// Some work, such as sorting or decoding a long text, cannot call Pace for a while. If a turn has been held
// for at least [Overdue] and other work is waiting, the turn is lent: one more job is admitted until the turn
// is released.
package fairqueue

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
)

// Limits of a queue.
const (
	Slice      = 10 * time.Millisecond // default of Options.Slice, the length of a time slice
	Overdue    = 20 * time.Millisecond // how long a turn may be held before waiting work is granted an additional turn
	WaitingMax = 4096                  // maximum number of jobs, across all clients, that may wait for a turn
	clientsMax = 1024                  // number of clients at which a queue starts to remove those that have no jobs
)

// ErrBusy is returned by [Queue.Enter], [Pace] and [Outside] if WaitingMax jobs are already waiting for a
// turn.
var ErrBusy error = texts.Errorf(texts.Unavailable, "", "the server is busy; try again in a while")

// Queue grants turns to clients. A turn is permission to use a processor. The methods of Queue may be called
// concurrently.
type Queue struct {
	pool  *Pool
	share time.Duration // Options.Share, but at least 1; a Duration so that times can be divided by it
	slice time.Duration
	entry time.Duration // time charged in advance to a new client; see Options.Entry

	// The following fields are guarded by pool.mu. Memory is allocated before pool.mu is locked. Otherwise, all
	// other goroutines might wait for pool.mu while the allocating one helps the garbage collector or is
	// preempted.

	// free is the number of turns that the queue can still grant. A granted turn decreases it, except while the
	// turn is lent; see Turn.lent.
	free    int
	lendMax int                // maximum value of lent
	lent    int                // number of the turns in held that are lent; see Turn.lent
	held    []*Turn            // turns that are currently granted
	clients map[string]*client // clients by name; those without a name are absent
	waiting []*Turn            // waiting turns in order of arrival
	// virtual is the virtual time of the queue: the largest value that client.used of any client had when the
	// client was granted a turn. When a client starts to wait, its used is raised to virtual if it is less, so
	// that a client does not save up time while it has no jobs.
	virtual time.Duration
	used    time.Duration // time used by all clients, divided by share, so that the pool can compare its queues
}

// client is a client of a queue. Of the waiting clients, the one with the smallest used + next is granted the
// next turn.
type client struct {
	used time.Duration // time used so far; set to Queue.virtual if it is less when a job starts to wait
	next time.Duration // expected length of the next time slice: the length of the last one, but at most Queue.slice
	busy bool          // whether a job holds a turn or waits for one; set and cleared by Queue.sweep
}

// Options configures a queue.
type Options struct {
	Pool  *Pool         // pool that grants the turns; nil means a new pool of Turns turns
	Turns int           // maximum number of turns granted at a time; less than 1 means 1
	Share int           // the queue's share of the time of the pool, relative to the other queues; 0 means 1
	Slice time.Duration // length of a time slice, after which a turn passes to waiting work; 0 means the constant Slice
	// Entry is a time that is charged to each new client in advance, so that clients that have used less time
	// precede new ones, however many of those arrive. 0 means that nothing is charged.
	Entry time.Duration
}

// New returns a queue with a pool of its own. It grants up to the given number of turns at a time, or one
// if turns is less than 1.
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

// Pool returns the pool that grants the queue's turns.
func (q *Queue) Pool() *Pool { return q.pool }

type clientKey struct{}
type turnKey struct{}

// WithClient returns a context whose work is charged to the client with the given name. If a context has no
// client, the work of each call to [Queue.Enter] is charged to a new client.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

// Client returns the name of the client of ctx, as given to WithClient, or "" if ctx has no client.
func Client(ctx context.Context) string {
	name, _ := ctx.Value(clientKey{}).(string)
	return name
}

// Enter waits for a turn and returns a context that carries it. leave ends the turn. It must be called, and
// may be called more than once. If ctx already carries a turn of q, Enter returns ctx, and leave does
// nothing. If ctx carries a turn of another queue, Enter releases that turn, and leave acquires it again.
// Enter returns ErrBusy if too much work is waiting, or the error of ctx if ctx is done first.
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
	t := &Turn{queue: q, ready: make(chan struct{}, 1)}
	if err = q.join(t, Client(ctx)); err == nil {
		err = t.await(ctx)
	}
	if err != nil {
		again()
		return ctx, func() {}, err
	}
	return context.WithValue(ctx, turnKey{}, t), func() {
		t.leave()
		again()
	}, nil
}

// join makes t, a new turn, one of the client with the given name, and appends it to the waiting turns. If there is no
// such client, or the name is empty, the client is new. join returns ErrBusy if WaitingMax turns are already waiting.
func (q *Queue) join(t *Turn, name string) error {
	t.client = &client{next: q.slice}
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	if len(q.waiting) >= WaitingMax {
		return ErrBusy
	}
	if c := q.clients[name]; c != nil {
		t.client = c
	} else {
		t.client.used = q.virtual + q.entry
		if name != "" {
			q.sweep()
			q.clients[name] = t.client
		}
	}
	q.line(t)
	return nil
}

// sweep removes clients without jobs that hold a turn or wait for one, if there are clientsMax clients or more. It first
// removes those whose used time is at most q.virtual: if one of them comes back as a new client, its used time will not
// be less than before. If there are still clientsMax clients or more, sweep removes other clients without such jobs until
// there are fewer.
func (q *Queue) sweep() {
	if len(q.clients) < clientsMax {
		return
	}
	q.markBusy(true)
	defer q.markBusy(false)
	for name, c := range q.clients {
		if !c.busy && c.used <= q.virtual {
			delete(q.clients, name)
		}
	}
	for name, c := range q.clients {
		if len(q.clients) < clientsMax {
			return
		}
		if !c.busy {
			delete(q.clients, name)
		}
	}
}

// markBusy sets client.busy of all clients with a job that holds a turn or waits for one.
func (q *Queue) markBusy(busy bool) {
	for _, turns := range [...][]*Turn{q.held, q.waiting} {
		for _, t := range turns {
			t.client.busy = busy
		}
	}
}

// wait appends t to the waiting turns and grants free turns. It returns ErrBusy if WaitingMax turns are
// already waiting.
func (q *Queue) wait(t *Turn) error {
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	if len(q.waiting) >= WaitingMax {
		return ErrBusy
	}
	q.line(t)
	return nil
}

// line appends t to the waiting turns and grants free turns. The caller must hold q.pool.mu.
func (q *Queue) line(t *Turn) {
	t.client.used = max(t.client.used, q.virtual) // a client does not save up time while it has no jobs
	q.used = max(q.used, q.pool.virtual)          // nor does a queue, not even the time that endTurn does not charge
	q.waiting = append(q.waiting, t)
	q.pool.grant()
	q.pool.scheduleReplacement()
}

// cancel removes t from the waiting turns. It returns false if t has already been granted.
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

// end frees turn t, which was held for a time slice of length d, and charges d to its client.
func (q *Queue) end(t *Turn, d time.Duration) {
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	q.endTurn(t, d)
	q.pool.grant()
}

// renew frees turn t, which was held for a time slice of length d, charges d to its client, and appends t to
// the waiting turns, so that t can be granted again.
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
	q.used += min(d, Overdue) / q.share // after Overdue the turn had been lent, or no work was waiting
	i := slices.Index(q.held, t)
	q.held = slices.Delete(q.held, i, i+1)
	if t.lent {
		q.lent--
	} else {
		q.free++
		q.pool.free++
	}
}

// first returns the index in q.waiting of the turn to be granted next. It chooses the client for which used +
// next is smallest, which is the one whose next time slice would end first. Of clients that have used the
// same time, one that needs only a millisecond therefore precedes those that need full slices. If several
// jobs of the chosen client are waiting, first chooses the job that has used the least time, and of those the
// one that has waited longest.
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

// admit grants the waiting turn that q.first selects. The queue and its pool must both have a free turn.
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
