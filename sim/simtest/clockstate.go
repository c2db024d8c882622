package simtest

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
)

// clockFields lists the unexported fields of package clock that a ClockRecorder uses. The package
// is archived; 1.3.5 is its last version.
var clockFields = []struct {
	of   reflect.Type
	name string
	is   reflect.Type // required type of the field; nil means any type
}{
	{reflect.TypeFor[clock.Mock](), "mu", reflect.TypeFor[sync.Mutex]()},
	{reflect.TypeFor[clock.Mock](), "now", reflect.TypeFor[time.Time]()},
	{reflect.TypeFor[clock.Mock](), "timers", nil},
	{reflect.TypeFor[clock.Timer](), "c", reflect.TypeFor[chan time.Time]()},
	{reflect.TypeFor[clock.Timer](), "next", reflect.TypeFor[time.Time]()},
	{reflect.TypeFor[clock.Timer](), "fn", reflect.TypeFor[func()]()},
	{reflect.TypeFor[clock.Timer](), "stopped", reflect.TypeFor[bool]()},
	{reflect.TypeFor[clock.Ticker](), "c", reflect.TypeFor[chan time.Time]()},
	{reflect.TypeFor[clock.Ticker](), "next", reflect.TypeFor[time.Time]()},
	{reflect.TypeFor[clock.Ticker](), "d", reflect.TypeFor[time.Duration]()},
	{reflect.TypeFor[clock.Ticker](), "stopped", reflect.TypeFor[bool]()},
	{contextType, "timer", reflect.TypeFor[*clock.Timer]()},
}

// contextType is the struct type of the contexts with timers that [clock.Mock.WithTimeout] returns. Such a
// context is a pointer to the struct, which embeds a sync.Mutex and has unexported fields.
var contextType = func() reflect.Type {
	ctx, cancel := clock.NewMock().WithTimeout(context.Background(), 1)
	defer cancel()
	return reflect.TypeOf(ctx).Elem()
}()

// clockDifference describes the first field in clockFields that is missing in package clock or has a
// different type there. It returns "" if all fields are as required.
func clockDifference() string {
	for _, want := range clockFields {
		f, ok := want.of.FieldByName(want.name)
		if !ok {
			return fmt.Sprintf("%s has no field %s", want.of, want.name)
		}
		if want.is != nil && f.Type != want.is {
			return fmt.Sprintf("the field %s of %s is of type %s, not %s", want.name, want.of, f.Type, want.is)
		}
	}
	return ""
}

// field returns a pointer to the named field of the struct to which p points. Fields of a clock.Mock and its
// timers may only be used while the mutex of the Mock is held, because Stop and Reset use them as well.
func field[T any](p any, name string) *T {
	return (*T)(reflect.ValueOf(p).Elem().FieldByName(name).Addr().UnsafePointer())
}

// mockZone marks the deadlines of timers that have been reset since they were last observed. The current time
// of the clock.Mock is in this location, so a deadline that Reset computes from it is as well. A
// ClockRecorder converts each deadline that it records to the local time zone.
var mockZone = time.FixedZone("mock", 0)

// clockTimer is a timer or ticker of a ClockRecorder.
type clockTimer struct {
	name    string
	once    bool  // whether the timer fires once and the program has no handle to it
	pending bool  // whether the timer was pending when last observed
	turn    int64 // position in the order in which timers became pending; the latest has the highest number

	// The next two fields are copies of unexported fields of the *clock.Timer or *clock.Ticker.

	c  chan time.Time // channel to which the timer sends the time
	fn func()         // function passed to AfterFunc; nil for other timers

	// The remaining fields point to unexported fields of the *clock.Timer or *clock.Ticker.

	next    *time.Time // current deadline
	stopped *bool
	every   *time.Duration // interval of a ticker; nil for a timer
}

// timerOf returns a new clockTimer for created, a *clock.Timer or *clock.Ticker.
func timerOf(created any) *clockTimer {
	t := &clockTimer{c: *field[chan time.Time](created, "c"), next: field[time.Time](created, "next"), stopped: field[bool](created, "stopped")}
	if _, repeats := created.(*clock.Ticker); repeats {
		t.every = field[time.Duration](created, "d")
	} else {
		t.fn = *field[func()](created, "fn")
	}
	return t
}

// timerOfContext returns the timer of ctx, a context returned by a clock.Mock, or nil if ctx has no
// timer.
func timerOfContext(ctx context.Context) *clock.Timer {
	if reflect.TypeOf(ctx) != reflect.PointerTo(contextType) {
		return nil
	}
	l := ctx.(sync.Locker)
	l.Lock()
	defer l.Unlock()
	return *field[*clock.Timer](ctx, "timer")
}

// before reports whether t fires before u: its deadline is earlier or, if they are equal, it became pending earlier.
func (t *clockTimer) before(u *clockTimer) bool {
	return t.next.Before(*u.next) || t.next.Equal(*u.next) && t.turn < u.turn
}

// fire fires the timer as a clock.Mock would. now is the current time of the clock. Unlike a Mock, fire does
// not block if the channel of a timer that was reset still holds the time of an earlier firing.
func (t *clockTimer) fire(now time.Time) {
	if t.every == nil {
		*t.stopped, t.pending = true, false
	} else if *t.every > 0 {
		*t.next = now.Add(*t.every)
	} else {
		panic("simtest: the interval of a ticker must be longer than 0")
	}
	if t.fn != nil {
		go t.fn()
		return
	}
	select {
	case t.c <- now:
	default:
	}
}
