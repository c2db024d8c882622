package rediswheel

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A record is read back unchanged, byte for byte.
func TestRecordRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		task := Task{URL: rapid.String().Draw(t, "url"), Method: rapid.String().Draw(t, "method"), Handler: rapid.String().Draw(t, "handler"),
			Body: rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "body"), Headers: rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "headers"),
			MaxAttempts: rapid.IntRange(0, AttemptsMax).Draw(t, "attempts"),
			Timeout:     time.Duration(rapid.Int64Range(0, TimeoutMax.Milliseconds()).Draw(t, "timeout")) * time.Millisecond}
		due := rapid.Int64Range(0, DueMax.UnixMilli()).Draw(t, "due")
		got, gotDue, err := ReadRecord(task.Record(due))
		if len(task.Headers) == 0 {
			task.Headers = nil
		}
		if len(task.Body) == 0 {
			task.Body = nil
		}
		if err != nil || gotDue != due || !reflect.DeepEqual(got, task) {
			t.Fatalf("%+v %d %v, want %+v %d", got, gotDue, err, task, due)
		}
	})
}

// Reading any record returns a task or errRecord.
func FuzzReadRecord(f *testing.F) {
	task := Task{URL: "http://x", Headers: map[string]string{"a": "b"}, Body: []byte("c\nd")}
	for _, seed := range []string{task.Record(5), "2 7 future", "1 7", "", "1 x {}\n", "0 1 {}\n", "1 1 {}", "9999999999999999999 1 ", "-1 1 {}\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, record string) {
		task, due, err := ReadRecord(record)
		if err != nil {
			if !errors.Is(err, errRecord) {
				t.Errorf("%q: %v", record, err)
			}
			return
		}
		again, dueAgain, err := ReadRecord(task.Record(due))
		if err != nil || dueAgain != due || !reflect.DeepEqual(again.Body, task.Body) || again.URL != task.URL {
			t.Errorf("%q: %+v, then %+v %v", record, task, again, err)
		}
	})
}

// Quantile returns an upper bound that is at most twice the exact value.
func TestLateness(t *testing.T) {
	var l Lateness
	if l.Quantile(0.5) != 0 {
		t.Error("nothing is late")
	}
	for range 98 {
		l.Note(3)
	}
	l.Note(-5)
	l.Note(DueMax.UnixMilli()) // past what a time.Duration holds
	for q, want := range map[float64]int64{0.001: 1, 0.5: 4, 0.99: 4, 1: 1 << (latenessBuckets - 1)} {
		if got := l.Quantile(q); got != want {
			t.Errorf("quantile %v is %d, want %d", q, got, want)
		}
	}
	if got := time.Duration(l.Quantile(1)) * time.Millisecond; got < 278*365*24*time.Hour {
		t.Errorf("the longest wait is %v", got)
	}
	l = Lateness{}
	l.Note(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).UnixMilli())
	if got := l.Quantile(0.5); got != 1<<41 {
		t.Errorf("a task of 1970 was late by less than %d ms, want 2^41", got)
	}
	l.Note(3)
	var s Stats
	for _, field := range []string{"late:2", "late:41", "late:99", "late:x", "of a newer version"} {
		s.read(field, "7")
	}
	s.read("done", "not a number")
	if s.Late[2] != 7 || s.Late[41] != 7 || s.Done != 0 {
		t.Errorf("%+v", s)
	}
}
