package timer

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// readTape returns the events of a recording in order of source, and its reader.
func readTape(t testing.TB, data []byte) (events []recording.Event, r *recording.Reader) {
	t.Helper()
	r, err := recording.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for {
		_, e, err := r.Next()
		if err == io.EOF {
			return events, r
		}
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
}

func TestRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := New(WithShards(1))
		defer w.Close()
		before := w.AfterFunc(10*time.Second, nothing)
		var out bytes.Buffer
		stop, err := Record(w, &out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Record(w, io.Discard); err != ErrRecording {
			t.Errorf("a second recording: %v", err)
		}
		time.Sleep(2 * time.Second)
		before.Reset(time.Minute)
		stopped := w.AfterFunc(5*time.Second, nothing)
		w.AfterFunc(1500*time.Microsecond, nothing)
		repeat := w.TickFunc(time.Second, nothing)
		time.Sleep(1500 * time.Millisecond)
		stopped.Stop()
		repeat.Stop()
		time.Sleep(time.Second)
		if lost, err := stop(); lost != 0 || err != nil {
			t.Errorf("%d events lost, %v", lost, err)
		}
		w.AfterFunc(time.Second, nothing)
		got, r := readTape(t, out.Bytes())
		if r.Duration != 4500*time.Millisecond {
			t.Errorf("lasted for %v", r.Duration)
		}
		want := []struct {
			kind      recording.Kind
			at, delay time.Duration
		}{
			{recording.Pending, 0, 10 * time.Second},
			{recording.Reset, 2 * time.Second, time.Minute},
			{recording.Schedule, 2 * time.Second, 5 * time.Second},
			{recording.Schedule, 2 * time.Second, 1500 * time.Microsecond},
			{recording.Schedule, 2 * time.Second, time.Second},
			{recording.Fire, 2002 * time.Millisecond, 0},
			{recording.Fire, 3 * time.Second, 0},
			{recording.Schedule, 3 * time.Second, time.Second},
			{recording.Stop, 3500 * time.Millisecond, 0},
			{recording.Stop, 3500 * time.Millisecond, 0},
		}
		if len(got) != len(want) {
			t.Fatalf("%d events, expected %d: %v", len(got), len(want), got)
		}
		for i, e := range got {
			x := want[i]
			if late := x.at - e.At; e.Kind != x.kind || e.Delay != x.delay || late < 0 || late > 2*time.Millisecond {
				t.Errorf("event %d: %+v, expected %+v", i, e, x)
			}
		}
	})
}

// blocked is a writer that waits until it is opened.
type blocked struct{ open chan struct{} }

func (b blocked) Write(p []byte) (int, error) { <-b.open; return len(p), nil }

// A recording whose writer is slow loses events and counts them; the program does not wait.
func TestRecordLoses(t *testing.T) {
	w, _ := New(WithShards(1))
	defer w.Close()
	out := blocked{make(chan struct{})}
	stop, err := Record(w, out)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10 * tapeEvents
	for range n {
		a := w.AfterFunc(time.Hour, nothing)
		a.Stop()
	}
	close(out.open)
	if lost, err := stop(); lost < n || lost > 2*n || err != nil {
		t.Errorf("%d of %d events lost, %v", lost, 2*n, err)
	}
	if stop, err = Record(w, io.Discard); err != nil {
		t.Fatalf("recorded again: %v", err)
	}
	stop()
}

func TestRecordFails(t *testing.T) {
	w, _ := New()
	full := errors.New("full")
	stop, err := Record(w, writerFunc(func([]byte) (int, error) { return 0, full }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stop(); err != full {
		t.Error(err)
	}
	w.Close()
	if _, err := Record(w, io.Discard); err != ErrClosed {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Recordings begin and end while goroutines use the wheel, and no event is lost or of an unknown timer.
func TestRecordConcurrent(t *testing.T) {
	w, _ := New(WithShards(4))
	defer w.Close()
	quit := make(chan struct{})
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			for {
				select {
				case <-quit:
					return
				default:
				}
				a := w.AfterFunc(time.Hour, nothing)
				a.Reset(2 * time.Hour)
				w.AfterFunc(time.Millisecond, nothing)
				a.Stop()
				time.Sleep(10 * time.Microsecond)
			}
		})
	}
	for range 20 {
		var out bytes.Buffer
		stop, err := Record(w, &out)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		if lost, err := stop(); lost > 0 || err != nil {
			t.Fatal(lost, err)
		}
		r, _ := recording.NewReader(&out)
		live := map[[2]int]bool{}
		for {
			source, e, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			id := [2]int{source, int(e.Timer)}
			arms := e.Kind == recording.Pending || e.Kind == recording.Schedule
			if live[id] == arms {
				t.Fatalf("%+v, pending: %v", e, live[id])
			}
			live[id] = arms || e.Kind == recording.Reset
		}
	}
	close(quit)
	users.Wait()
}

// BenchmarkRecord is the time of an operation, recorded or not: a timer is reset.
func BenchmarkRecord(b *testing.B) {
	for _, on := range []bool{false, true} {
		name := "off"
		if on {
			name = "on"
		}
		b.Run(name, func(b *testing.B) {
			w, _ := New()
			defer w.Close()
			if on {
				stop, _ := Record(w, io.Discard)
				defer stop()
			}
			timers := make([]Timer, 1000)
			for i := range timers {
				timers[i] = w.AfterFunc(time.Minute, nothing)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				timers[i%len(timers)].Reset(time.Minute)
			}
		})
	}
}
