package recording

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"time"
)

// sample returns a recording and its events.
func sample() ([]byte, []Event) {
	events := []Event{
		{At: 0, Delay: -time.Second, Timer: 1, Kind: Pending},
		{At: 1, Delay: time.Hour, Timer: 1<<32 - 1, Kind: Schedule},
		{At: time.Hour, Delay: 1<<63 - 1, Timer: 1<<32 - 1, Kind: Reset},
		{At: time.Hour, Timer: 1, Kind: Stop},
		{At: time.Hour, Delay: time.Second, Timer: 2, Kind: Repeat},
		{At: 1<<63 - 1, Timer: 1<<32 - 1, Kind: Fire},
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Block(3, events, 2)
	w.End(time.Minute)
	w.Flush()
	return out.Bytes(), events
}

func readAll(data []byte) (events []Event, r *Reader, err error) {
	if r, err = NewReader(bytes.NewReader(data)); err != nil {
		return nil, nil, err
	}
	for {
		source, e, err := r.Next()
		if err != nil {
			return events, r, err
		}
		if source < 0 || source >= SourceMax || e.At < 0 || e.Kind < Pending || e.Kind > Repeat {
			panic("an event out of range")
		}
		events = append(events, e)
	}
}

// What was written is read.
func TestReader(t *testing.T) {
	data, want := sample()
	got, r, err := readAll(data)
	if err != io.EOF || !slices.Equal(got, want) || r.Lost != 2 || r.Duration != time.Minute {
		t.Errorf("%v, %d lost, %v, %v\nexpected %v", got, r.Lost, r.Duration, err, want)
	}
	if _, _, err := readAll([]byte("something else")); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// Any stream ends with one of three errors, and its events are in range.
func FuzzReader(f *testing.F) {
	data, _ := sample()
	f.Add(data)
	f.Add(data[:len(data)-3])
	f.Add([]byte(Magic + "B\x00\xff\xff\xff\xff\x0f\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, err := readAll(data)
		if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
	})
}
