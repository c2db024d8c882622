package timerhttp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

func TestRecord(t *testing.T) {
	w, url := served(t)
	for _, seconds := range []string{"", "0", "-1", "301", "1.5", "x"} {
		if code, text := get(t, url+"record?seconds="+seconds); code != http.StatusBadRequest || !strings.Contains(text, "a whole number from 1 to 300") {
			t.Errorf("%q: %d %s", seconds, code, text)
		}
	}
	resp, err := http.Get(url + "record?seconds=1")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if code, text := get(t, url+"record?seconds=1"); code != http.StatusConflict || !strings.Contains(text, "being recorded") {
		t.Errorf("a second one: %d %s", code, text)
	}
	const timers = 1000
	for range timers {
		w.AfterFunc(time.Millisecond, nothing)
	}
	r, err := recording.NewReader(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	count := map[recording.Kind]int{}
	for {
		_, e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		count[e.Kind]++
	}
	if count[recording.Schedule] != timers || count[recording.Fire] != timers || r.Lost != 0 || r.Duration < time.Second {
		t.Errorf("%v, %d lost in %v", count, r.Lost, r.Duration)
	}
	w.Close()
	if code, _ := get(t, url+"record?seconds=1"); code != http.StatusGone {
		t.Errorf("after Close: %d", code)
	}
}
