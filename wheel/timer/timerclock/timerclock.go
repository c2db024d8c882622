// Package timerclock lets a wheel of package timer use a clock of github.com/benbjohnson/clock,
// such as its mock. It is a separate package, so that programs without that clock need not link it.
package timerclock

import (
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel/timer"
)

// From adapts c to [timer.Clock], for [timer.WithClock]. The wheel sets timers on c in goroutines
// of its own. Before a test moves a mock clock, it must wait with synctest.Wait until these
// goroutines are blocked. Otherwise a timer that becomes due while the clock moves may fire only
// after the move.
func From(c clock.Clock) timer.Clock { return adapted{c} }

type adapted struct{ clock.Clock }

func (a adapted) NewTimer(d time.Duration) timer.ClockTimer { return adaptedTimer{a.Timer(d)} }

type adaptedTimer struct{ *clock.Timer }

func (t adaptedTimer) C() <-chan time.Time { return t.Timer.C }
