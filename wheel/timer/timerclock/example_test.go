package timerclock_test

import (
	"fmt"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/timerclock"
)

// A wheel on a mock: an hour passes when the test says so.
func Example() {
	mock := clock.NewMock()
	w, err := timer.New(timer.WithClock(timerclock.From(mock)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	fired := make(chan time.Time)
	w.AfterFunc(time.Hour, func() { fired <- mock.Now() })
	mock.Add(time.Hour)
	fmt.Println((<-fired).UTC())
	// Output: 1970-01-01 01:00:00 +0000 UTC
}
