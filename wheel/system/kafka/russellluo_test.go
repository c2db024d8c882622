package kafka

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// interleaved is the Go port with the geometry of the vector. Its loop stops before every operation
// that may interleave.
type interleaved struct {
	*russellLuo
	t     *testing.T
	log   wheel.Log
	fired []wheel.Expiry
	keys  uint32
}

func newInterleaved(t *testing.T) *interleaved {
	t.Helper()
	w, err := NewRussellLuo(Config{Slots: 20, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := &interleaved{russellLuo: w.(*russellLuo), t: t, log: wheel.Log{Keep: true}}
	w.Observe(&x.log)
	return x
}

// run runs the loop at tick `to` until the next operation that interleaves, or to the end.
func (x *interleaved) run(to wheel.Tick, operationComes bool) (status wheel.Status) {
	x.t.Helper()
	x.Hold(operationComes)
	x.fired, status = x.Advance(to, x.fired, 0)
	if err := x.Check(); err != nil {
		x.t.Fatal(err)
	}
	return status
}

// after schedules the next timer as AfterFunc does, and continues the loop.
func (x *interleaved) after(delay wheel.Tick, operationComes bool) wheel.Status {
	x.t.Helper()
	x.keys++
	if _, _, err := x.Schedule(wheel.Spec{Due: x.Now() + delay, Key: x.keys}); err != nil {
		x.t.Fatal(err)
	}
	return x.run(x.Now(), operationComes)
}

// observed returns the numbers and the text of a fault in the vector.
func observed(t *testing.T, name string) (numbers map[string]any, text string) {
	t.Helper()
	var file struct {
		Params struct {
			Tick      wheel.Tick
			WheelSize int `json:"wheel_size"`
		}
		Faults []struct {
			Name     string
			Observed any
		}
	}
	data, err := os.ReadFile("testdata/russellluo_faults.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if file.Params.Tick != 1 || file.Params.WheelSize != 20 {
		t.Fatalf("another geometry: %+v", file.Params)
	}
	for _, f := range file.Faults {
		if strings.HasPrefix(f.Name, name) {
			numbers, _ = f.Observed.(map[string]any)
			text, _ = f.Observed.(string)
			return numbers, text
		}
	}
	t.Fatalf("no fault is called %s", name)
	return nil, ""
}

// The first interleaving of the vector, step by step: a timer fires 18 ticks early and the clock is
// ahead, so that the next timer scheduled runs at once.
func TestRussellLuoFiresEarly(t *testing.T) {
	want, _ := observed(t, "early fire")
	x := newInterleaved(t)
	x.after(5, false)
	x.run(5, true)     // slot 5 is removed from the queue, not processed
	x.after(-2, true)  // due 3: the clock is at 0, so it is put into slot 3
	x.after(100, true) // the clock is at 5, so slot 3 is polled afterwards
	if x.clock != 5 {
		t.Fatalf("the clock is at %d before slot 3 is worked", x.clock)
	}
	x.after(18, false) // due 23, slot 3: its expiration becomes 23
	if float64(x.clock) != want["wheel_clock"] || float64(x.Now()) != want["real"] {
		t.Errorf("the clock is at %d at tick %d, want %v", x.clock, x.Now(), want)
	}
	if got := []wheel.Expiry{{Due: 5, Key: 1, Run: 1}, {Due: 3, Key: 2, Run: 1}, {Due: 23, Key: 4, Run: 1}}; !slices.Equal(x.fired, got) {
		t.Errorf("fires %v, want %v", x.fired, got)
	}
	x.after(10, false)
	wantFindings := []wheel.Event{{Code: wheel.CodeEarly, ID: 4, Due: 23, X: 5}, {Code: wheel.CodeEarly, ID: 5, Due: 15, X: 5}}
	if got := coretest.Findings(&x.log); !slices.Equal(got, wantFindings) || float64(got[0].Due-got[0].X) != want["early_by"] {
		t.Errorf("findings %+v, want %+v", got, wantFindings)
	}
	x.run(200, false)
	if x.Len() != 0 {
		t.Errorf("%d timers are left", x.Len())
	}
}

// The second interleaving: a timer of the slot that is being flushed is placed in that slot again,
// and the loop waits for itself.
func TestRussellLuoDeadlock(t *testing.T) {
	_, text := observed(t, "deadlock")
	if text != "Flush never returns" {
		t.Fatalf("the vector says %q", text)
	}
	x := newInterleaved(t)
	x.after(5, false)
	x.run(5, true)
	x.after(-2, true)
	x.after(100, true)
	x.after(50, true) // while slot 3 is out of the queue and the clock is at 5
	if status := x.after(18, false); status != wheel.Stuck {
		t.Fatalf("status %d", status)
	}
	if got, want := coretest.Findings(&x.log), []wheel.Event{{Code: wheel.CodeStuck, ID: 5, Due: 2, X: 1}}; !slices.Equal(got, want) {
		t.Errorf("findings %+v, want %+v", got, want)
	}
	if got := []wheel.Expiry{{Due: 5, Key: 1, Run: 1}, {Due: 3, Key: 2, Run: 1}}; !slices.Equal(x.fired, got) || x.Len() != 3 {
		t.Errorf("fires %v, %d left", x.fired, x.Len())
	}
	if _, _, err := x.Schedule(wheel.Spec{Due: 300, Key: 9}); !errors.Is(err, wheel.ErrFault) || x.run(400, false) != wheel.Stuck || x.Now() != 5 {
		t.Errorf("after the deadlock: %v, at %d", err, x.Now())
	}
}

// A copy made while the loop waits behaves like the original.
func TestRussellLuoCopyInBetween(t *testing.T) {
	x := newInterleaved(t)
	x.after(5, false)
	x.run(5, true)
	x.after(-2, true)
	other := x.russellLuo.Clone().(*russellLuo)
	log := wheel.Log{Keep: true}
	other.Observe(&log)
	before := len(x.log.Events)
	x.run(30, false)
	other.Hold(false)
	other.Advance(30, nil, 0)
	if !slices.Equal(log.Events, x.log.Events[before:]) || len(log.Events) == 0 {
		t.Errorf("the copy emits %+v, the first %+v", log.Events, x.log.Events[before:])
	}
}
