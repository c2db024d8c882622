package simtest

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
)

// clockFields are the unexported fields of package clock that a ClockRecorder uses. The
// package is archived; 1.3.5 is its last version.
var clockFields = []struct {
	of   reflect.Type
	name string
	is   reflect.Type // nil for any type
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

// contextType is the type of contexts of a Mock that have a timer. It is an exported
// sync.Mutex and unexported fields.
var contextType = func() reflect.Type {
	ctx, cancel := clock.NewMock().WithTimeout(context.Background(), 1)
	defer cancel()
	return reflect.TypeOf(ctx).Elem()
}()

// clockDifference returns what distinguishes package clock from its version 1.3.5, or "".
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

// field returns a field of the struct at p. The fields of a Mock and of its timers may be used
// only while the Mock's own mutex is held, which Stop and Reset lock.
func field[T any](p any, name string) *T {
	return (*T)(reflect.ValueOf(p).Elem().FieldByName(name).Addr().UnsafePointer())
}

// mockZone is the location of a Mock's time, and so of a deadline that Reset computes from it.
// A deadline that has been observed has another one.
var mockZone = time.FixedZone("mock", 0)

// clockTimer is a timer or ticker of a ClockRecorder.
type clockTimer struct {
	name    string
	once    bool  // the program has no handle of it
	pending bool  // when last observed
	turn    int64 // orders timers by the time at which they became pending

	// Fields of the *clock.Timer or *clock.Ticker.
	c       chan time.Time
	fn      func() // of AfterFunc
	next    *time.Time
	stopped *bool
	every   *time.Duration // nil unless it is a ticker
}

// timerOf returns the clockTimer of a *clock.Timer or *clock.Ticker.
func timerOf(created any) *clockTimer {
	t := &clockTimer{c: *field[chan time.Time](created, "c"), next: field[time.Time](created, "next"), stopped: field[bool](created, "stopped")}
	if _, repeats := created.(*clock.Ticker); repeats {
		t.every = field[time.Duration](created, "d")
	} else {
		t.fn = *field[func()](created, "fn")
	}
	return t
}

// timerOfContext returns the timer that ends a context of a Mock, or nil if it has none.
func timerOfContext(ctx context.Context) *clock.Timer {
	if reflect.TypeOf(ctx) != reflect.PointerTo(contextType) {
		return nil
	}
	l := ctx.(sync.Locker)
	l.Lock()
	defer l.Unlock()
	return *field[*clock.Timer](ctx, "timer")
}

// before reports whether t fires before u.
func (t *clockTimer) before(u *clockTimer) bool {
	return t.next.Before(*u.next) || t.next.Equal(*u.next) && t.turn < u.turn
}

// fire does what the Mock does with a timer at its deadline.
func (t *clockTimer) fire(now time.Time) {
	if t.every == nil {
		*t.stopped, t.pending = true, false
	} else if *t.every > 0 {
		*t.next = now.Add(*t.every)
	} else {
		panic("simtest: the interval of a ticker is not longer than 0")
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
