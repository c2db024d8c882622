package own

import (
	"container/heap"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
)

// Kind is a kind of wrong answer.
type Kind string

const (
	Early    Kind = "early"    // a timer fired before its due tick
	Late     Kind = "late"     // a timer fired after its due tick
	Never    Kind = "never"    // a timer did not fire
	Twice    Kind = "twice"    // a timer fired a second time
	Unknown  Kind = "unknown"  // a key fired that is not pending: cancelled, rejected or never scheduled
	Order    Kind = "order"    // a timer fired before one with an earlier due tick
	Rejected Kind = "rejected" // Schedule returned false for a delay within the range
	Answer   Kind = "cancel"   // Cancel returned the wrong answer
	Misplace Kind = "place"    // a place that contradicts the tick at which its timer fired
	Costly   Kind = "cost"     // more units of work than the budget
	Slow     Kind = "slow"     // a call took longer than CallMax
	Crashed  Kind = "crashed"  // a panic, the end of the program, or an answer that is not in the protocol
)

// CallMax is the longest time that a call of a wheel may take: a call is found slow after one to two times that. Making
// a wheel may take createMax, because a program may have to start.
const (
	CallMax   = time.Second
	createMax = 10 * CallMax
)

// Fault is a wrong answer.
type Fault struct {
	Kind    Kind     `json:"kind"`
	Op      int      `json:"op"`                // index in the case of the operation that showed it
	Text    string   `json:"text"`              // what was wrong, one sentence
	Phrases []Phrase `json:"phrases,omitempty"` // of which Text is made, to say it in another language
}

// Phrase is a part of a sentence: a format with the verb %s for each argument.
type Phrase struct {
	Format string   `json:"format"`
	Args   []string `json:"args,omitempty"`
}

// phrase returns a Phrase. The arguments are formatted as by fmt.Sprint.
func phrase(format string, args ...any) Phrase {
	p := Phrase{Format: format}
	for _, arg := range args {
		p.Args = append(p.Args, fmt.Sprint(arg))
	}
	return p
}

// newFault returns a Fault whose text is made of phrases.
func newFault(kind Kind, op int, phrases ...Phrase) *Fault {
	f := &Fault{Kind: kind, Op: op, Phrases: phrases}
	f.Text = f.In(nil)
	return f
}

// Ended returns the result for a source whose process or worker was ended, with one group of the given name and why, a format of
// texts.Newf with the verb %s.
func Ended(name string, kind Kind, why string, args ...any) *Result {
	return &Result{Groups: []GroupResult{{Name: name, Weight: 1, Fault: newFault(kind, 0, phrase(why, args...)), Shrunk: &Case{}}}}
}

// In returns the sentence in the language of the catalogue c.
func (f *Fault) In(c texts.Catalogue) string {
	var b strings.Builder
	for _, p := range f.Phrases {
		args := make([]any, len(p.Args))
		for i, arg := range p.Args {
			args[i] = arg
		}
		b.WriteString(texts.Newf(p.Format, args...).In(c))
	}
	return b.String()
}

// timer is what the oracle knows of a key.
type timer struct {
	due, since int64
	place      *Place // where the wheel put it, for the sentence; nil if it does not say
	state      state
}

type state byte

const (
	pending state = iota
	fired
	cancelled
	rejected
)

// judge runs a case on a wheel beside the oracle.
type judge struct {
	o       Options
	w       Wheel
	now     int64
	op      atomic.Int64 // index of the operation, -1 while the wheel is made
	calls   atomic.Int64 // calls of the wheel begun
	timers  map[int64]*timer
	queue   dues
	places  Placer
	levels  []Level
	last    map[int64]Place // places of the timers that are due at the next tick
	offsets map[int]int64   // by level: the slot of tick 0, learned from the first expiry
}

// due is an entry of a heap by due tick; entries of timers that have ended are left in it until they are on top.
type due struct{ at, key int64 }

type dues []due

func (d dues) Len() int           { return len(d) }
func (d dues) Less(i, j int) bool { return d[i].at < d[j].at }
func (d dues) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *dues) Push(x any)        { *d = append(*d, x.(due)) }
func (d *dues) Pop() any          { n := len(*d) - 1; x := (*d)[n]; *d = (*d)[:n]; return x }

// wrong is the panic value with which a wheel reports that it cannot answer.
type wrong struct {
	kind Kind
	text string
}

// Fail ends a case because the wheel, whose method calls it, cannot answer. The text says why.
func Fail(text string) { panic(wrong{Crashed, text}) }

// run runs c on a new wheel and returns its first fault, or nil. If a call does not return in time, run returns without
// waiting for it, and calls abandon, if it is not nil, to end the program that does not answer.
func run(create New, o Options, c *Case, abandon func()) *Fault {
	j := &judge{o: o, now: c.Start, timers: map[int64]*timer{}, offsets: map[int]int64{}, last: map[int64]Place{}}
	done := make(chan *Fault, 1)
	go func() { done <- j.run(create, c) }()
	watch := time.NewTicker(CallMax)
	defer watch.Stop()
	for seen, waited := int64(-1), time.Duration(0); ; {
		select {
		case f := <-done:
			return f
		case <-watch.C:
			n := j.calls.Load()
			if n != seen {
				seen, waited = n, 0
				continue
			}
			waited += CallMax
			if at := j.op.Load(); at >= 0 || waited >= createMax {
				if abandon != nil {
					abandon()
				}
				return newFault(Slow, int(max(at, 0)), phrase("%s has not returned after %s", c.call(int(at)), waited))
			}
		}
	}
}

// run runs c. It bumps j.calls before each call of the wheel.
func (j *judge) run(create New, c *Case) (f *Fault) {
	defer func() {
		if r := recover(); r != nil {
			f = j.failed(r, c)
		}
	}()
	j.op.Store(-1)
	j.w = create(c.Start, j.o.Params)
	j.places, _ = j.w.(Placer)
	if j.places != nil {
		j.levels = j.places.Layout()
	}
	for i := range c.Ops {
		j.op.Store(int64(i))
		if f := j.do(&c.Ops[i]); f != nil {
			return f
		}
	}
	return j.checkCost(c)
}

// failed returns the fault for r, the value of a panic in the wheel.
func (j *judge) failed(r any, c *Case) *Fault {
	if w, ok := r.(wrong); ok {
		return newFault(w.kind, j.at(), phrase("%s: %s", c.call(int(j.op.Load())), w.text))
	}
	text, _, _ := strings.Cut(fmt.Sprint(r), "\n")
	return newFault(Crashed, j.at(), phrase("%s panicked: %s", c.call(int(j.op.Load())), text))
}

// do executes op and compares the answer. Operations that break the interface are left out, so that any part of a
// case is a case.
func (j *judge) do(op *Op) *Fault {
	if !j.valid(op) {
		return nil
	}
	switch op.Do {
	case "schedule":
		return j.schedule(op.Key, op.Due)
	case "cancel":
		return j.cancel(op.Key)
	}
	return j.advance(op.To)
}

// valid reports whether the interface allows op now.
func (j *judge) valid(op *Op) bool {
	t := j.timers[op.Key]
	switch op.Do {
	case "schedule":
		return op.Due > j.now && (t == nil || t.state != pending)
	case "advance":
		return op.To > j.now
	}
	return true
}

func (j *judge) schedule(key, at int64) *Fault {
	delay := at - j.now
	t := &timer{due: at, since: j.now}
	j.timers[key] = t
	j.calls.Add(1)
	if !j.w.Schedule(key, at) {
		t.state = rejected
		if j.o.Range == 0 || delay <= j.o.Range {
			said := []Phrase{phrase("timer %s (due %s) was rejected at %s, with a delay of %s", key, at, j.now, delay)}
			if j.o.Range > 0 {
				said = append(said, phrase("; the range is %s", j.o.Range))
			}
			return j.fault(Rejected, said...)
		}
		return nil
	}
	heap.Push(&j.queue, due{at, key})
	if j.places != nil {
		p := j.places.Place(key)
		t.place = &p
		return j.checkPlace(key, p)
	}
	return nil
}

func (j *judge) cancel(key int64) *Fault {
	t := j.timers[key]
	want := t != nil && t.state == pending
	j.calls.Add(1)
	if got := j.w.Cancel(key); got != want {
		return j.fault(Answer, phrase("cancel(%s) returned %s at %s, but ", key, got, j.now), t.describe(key))
	}
	if want {
		t.state = cancelled
	}
	return nil
}

// describe says what the oracle knows of the timer key; t is nil if it was never scheduled.
func (t *timer) describe(key int64) Phrase {
	if t == nil {
		return phrase("timer %s was never scheduled", key)
	}
	switch t.state {
	case fired:
		return phrase("timer %s (due %s) has fired", key, t.due)
	case cancelled:
		return phrase("timer %s (due %s) was cancelled", key, t.due)
	case rejected:
		return phrase("timer %s (due %s) was rejected", key, t.due)
	}
	return phrase("timer %s (due %s) is pending", key, t.due)
}

// scheduled says when and where the timer was scheduled.
func (t *timer) scheduled() Phrase {
	if t.place == nil {
		return phrase("; it was scheduled at %s", t.since)
	}
	return phrase("; it was scheduled at %s (level %s, slot %s, rounds %s)", t.since, t.place.Level, t.place.Slot, t.place.Rounds)
}

func (j *judge) advance(to int64) *Fault {
	j.notePlaces(to)
	j.calls.Add(1)
	keys := j.w.Advance(to)
	j.now = to
	latest, latestKey := int64(-1), int64(0)
	for _, key := range keys {
		t := j.timers[key]
		switch {
		case t == nil || t.state == cancelled || t.state == rejected:
			return j.fault(Unknown, phrase("advance(%s) fired timer %s, but ", to, key), t.describe(key))
		case t.state == fired:
			return j.fault(Twice, phrase("advance(%s) fired timer %s (due %s) a second time", to, key, t.due))
		case t.due-j.o.Early > to:
			return j.fault(Early, phrase("advance(%s) fired timer %s (due %s), ", to, key, t.due), ticks(t.due-to, "1 tick early", "%s ticks early"), t.scheduled())
		case latest >= 0 && t.due+j.o.Late < latest-j.o.Early:
			return j.fault(Order, phrase("advance(%s) fired timer %s (due %s) before timer %s (due %s)", to, latestKey, latest, key, t.due))
		}
		if t.due > latest {
			latest, latestKey = t.due, key
		}
		t.state = fired
		if f := j.checkFired(key, t.due); f != nil {
			return f
		}
	}
	for len(j.queue) > 0 {
		d := j.queue[0]
		t := j.timers[d.key]
		if t.state == pending && t.due == d.at {
			if d.at+j.o.Late > to {
				break
			}
			return j.missing(d.key, t)
		}
		heap.Pop(&j.queue)
	}
	return nil
}

// lookMax is how many more ticks a wheel is advanced to see whether a timer that did not fire comes late.
const lookMax = 4096

// missing returns the fault for the timer key, which should have fired: late if the wheel fires it within lookMax
// ticks, never otherwise.
func (j *judge) missing(key int64, t *timer) *Fault {
	said := []Phrase{phrase("after advance(%s), timer %s (due %s) has not fired", j.now, key, t.due), t.scheduled()}
	ahead := min(lookMax, 2*j.o.Params.span())
	for i := int64(1); i <= ahead; i++ {
		j.calls.Add(1)
		for _, k := range j.w.Advance(j.now + i) {
			if k == key {
				return j.fault(Late, append(said, phrase(", and fires at %s, ", j.now+i), ticks(j.now+i-t.due, "1 tick late", "%s ticks late"))...)
			}
		}
	}
	return j.fault(Never, append(said, phrase(", and does not fire in the next %s ticks", ahead))...)
}

// ticks returns the phrase for n ticks: one, or many with the number.
func ticks(n int64, one, many string) Phrase {
	if n == 1 {
		return phrase(one)
	}
	return phrase(many, n)
}

// notePlaces remembers the places of the timers that are due at tick to, if it is the next tick. In a longer advance,
// or if timers may fire late or early, the last place of a timer is not the one from which it fires.
func (j *judge) notePlaces(to int64) {
	clear(j.last)
	if j.places == nil || to != j.now+1 || j.o.Late > 0 || j.o.Early > 0 {
		return
	}
	for _, d := range j.queue {
		if t := j.timers[d.key]; d.at == to && t.state == pending && t.due == to {
			j.last[d.key] = j.places.Place(d.key)
		}
	}
}

// checkPlace returns a fault if p is not in the layout.
func (j *judge) checkPlace(key int64, p Place) *Fault {
	if p.Level < 0 {
		return nil // in no slot: a list, a heap
	}
	if p.Level >= len(j.levels) || p.Slot < 0 || p.Slot >= j.levels[p.Level].Slots || p.Rounds < 0 {
		return j.fault(Misplace, phrase("timer %s is in slot %s of level %s with %s rounds, which the layout does not have", key, p.Slot, p.Level, p.Rounds))
	}
	return nil
}

// checkFired compares the last place of the timer key, which fired at tick at, with the places of those that fired
// before from a level of slots of one tick: all ticks of a slot are equal modulo a revolution.
func (j *judge) checkFired(key, at int64) *Fault {
	p, ok := j.last[key]
	if !ok {
		return nil
	}
	if f := j.checkPlace(key, p); f != nil {
		return f
	}
	if p.Level < 0 || j.levels[p.Level].Width != 1 {
		return nil
	}
	n := int64(j.levels[p.Level].Slots)
	offset := ((int64(p.Slot)-at)%n + n) % n
	first, seen := j.offsets[p.Level]
	if !seen {
		j.offsets[p.Level] = offset
	} else if first != offset {
		return j.fault(Misplace, phrase("timer %s fired at %s from slot %s of level %s; by the timers before it, the hand is at slot %s then",
			key, at, p.Slot, p.Level, (at+first)%n))
	}
	return nil
}

// checkCost returns a fault if the wheel counted more units than the budget of c.
func (j *judge) checkCost(c *Case) *Fault {
	if c.Budget == 0 {
		return nil
	}
	w, ok := j.w.(Coster)
	if !ok {
		return j.fault(Costly, phrase("the case has a budget of %s units, but the wheel does not count its cost", c.Budget))
	}
	switch n := w.Cost(); {
	case n < 0:
		return j.fault(Costly, phrase("the case has a budget of %s units, but the wheel does not count its cost", c.Budget))
	case n > c.Budget:
		return j.fault(Costly, phrase("%s units of work; the budget is %s", n, c.Budget))
	}
	return nil
}

// at returns the index of the operation, 0 while the wheel is made.
func (j *judge) at() int { return int(max(j.op.Load(), 0)) }

func (j *judge) fault(kind Kind, phrases ...Phrase) *Fault { return newFault(kind, j.at(), phrases...) }
