//go:build unix

package record

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// program uses timers in all ways that are recorded, 100 times each, and is killed at its end.
const program = `package main

import (
	"context"
	"os"
	"time"
)

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	for range 100 {
		time.AfterFunc(time.Hour, func() {}).Stop()
		time.NewTimer(time.Minute).Reset(2 * time.Minute)
		time.After(3 * time.Minute)
		_, cancel := context.WithTimeout(context.Background(), 4 * time.Minute)
		cancel()
		k := time.NewTicker(5 * time.Minute)
		k.Reset(6 * time.Minute)
		k.Stop()
		r.SetReadDeadline(time.Now().Add(7 * time.Minute))
	}
	w.SetDeadline(time.Time{})
	w.Close()
	r.Close()
	process, _ := os.FindProcess(os.Getpid())
	process.Kill()
	select {}
}
`

// A program is recorded that knows nothing of it, also if it is killed.
func TestRecord(t *testing.T) {
	dir := t.TempDir()
	events := filepath.Join(dir, "events")
	source := filepath.Join(dir, "main.go")
	if err := os.Mkdir(events, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := Overlay(strings.TrimSpace(string(root)), dir)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-overlay", overlay, "-o", binary, source)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(binary)
	run.Env = append(os.Environ(), "WHEELSCOPE_RECORD="+events)
	run.Run()
	var out bytes.Buffer
	s, err := Merge(t.Context(), events, &out)
	if err != nil || s.Processes != 1 || s.Full {
		t.Fatal(s, err)
	}
	r, err := recording.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	type what struct {
		kind  recording.Kind
		delay time.Duration
	}
	got := map[what]int{}
	for {
		_, e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got[what{e.Kind, e.Delay.Round(time.Minute)}]++
	}
	for w, n := range map[what]int{{recording.Schedule, time.Hour}: 100, {recording.Schedule, time.Minute}: 100, {recording.Reset, 2 * time.Minute}: 100,
		{recording.Schedule, 3 * time.Minute}: 100, {recording.Schedule, 4 * time.Minute}: 100, {recording.Repeat, 5 * time.Minute}: 100,
		{recording.Repeat, 6 * time.Minute}: 100, {recording.Reset, 7 * time.Minute}: 100, {recording.Stop, 0}: 301} {
		if got[w] != n {
			t.Errorf("%v: %d, expected %d", w, got[w], n)
		}
		delete(got, w)
	}
	if len(got) > 0 {
		t.Errorf("others: %v", got)
	}
}

// A standard library without the functions that are changed is refused, by name.
func TestOverlayRefuses(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"time", "internal/poll"} {
		os.MkdirAll(filepath.Join(root, "src", dir), 0o700)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, "src", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Overlay(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), "cannot read package time of this Go") {
		t.Error(err)
	}
	write("time/time.go", "package time")
	write("time/tick.go", "package time\nfunc NewTicker() {}\nfunc (t *Ticker) Stop() {}\nfunc (t *Ticker) Reset() {}\n")
	write("time/sleep.go", "package time\nfunc AfterFunc() {}\nfunc NewTimer() {}\nfunc (t *Timer) Stop() {}\n")
	if _, err := Overlay(root, t.TempDir()); err == nil || err.Error() != "time/sleep.go of this Go: no function Timer.Reset; expected Go "+Tested {
		t.Error(err)
	}
	write("time/sleep.go", "package time\nfunc AfterFunc() {}\nfunc NewTimer() {}\nfunc (t *Timer) Stop() {}\nfunc (t *Timer) Reset() {}\n")
	if _, err := Overlay(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), "package time of this Go has no function runtime") {
		t.Error(err)
	}
}
