package simtest

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// GoldenExpiries is like [Golden], but the file contains only which timer fired at which tick. It does not
// contain slots, cascades, costs or the order of timers within a tick, so it does not change if a wheel
// places its timers differently.
//
// The file consists of lines of JSON. The first line is a header with the name of the scenario. It is
// followed by a line for each expiry, in order of tick, lane, timer and run. The last line contains the
// number of expiries and the number of each lane's pending timers:
//
//	{"simtest":"expiries","version":1,"scenario":"backoff"}
//	{"tick":9,"lane":"rounds","timer":"a","run":1,"late":0}
//	{"expiries":1,"pending":{"rounds":0}}
//
// With -simtest.update, the file is written instead, compressed with gzip if its name ends in .gz.
func GoldenExpiries[S string | []byte](t testing.TB, scenario S, file string) {
	t.Helper()
	if _, err := golden(any(scenario), file, writeExpiries, compareExpiries); err != nil {
		t.Fatalf("golden %s: %v", file, err)
	}
}

// GoldenExpiries compares the expiries of the recorded scenario with the golden file, as the function
// [GoldenExpiries] does. lanes are JSON objects as in a scenario file; if there are none, GoldenExpiries uses
// those that [Recorder.Scenario] chooses.
func (r *Recorder) GoldenExpiries(file string, lanes ...string) {
	r.t.Helper()
	GoldenExpiries(r.t, r.Scenario(lanes...), file)
}

// writeExpiries runs p and writes its expiries to w.
func writeExpiries(w io.Writer, p *program.Program) error {
	f := &expiryFilter{out: bufio.NewWriter(w)}
	_, err := tracefile.Write(context.Background(), f, p, tracefile.Options{})
	return cmp.Or(err, f.out.Flush())
}

// expiry is a line of a golden file: the firing of a timer.
type expiry struct {
	Tick  int64  `json:"tick"`
	Lane  string `json:"lane"`
	Timer string `json:"timer"`
	Run   int64  `json:"run"`
	Late  int64  `json:"late"`
}

// compare returns a negative number if e precedes o in a golden file, a positive number if e follows o, and
// 0 otherwise.
func (e expiry) compare(o expiry) int {
	return cmp.Or(cmp.Compare(e.Tick, o.Tick), strings.Compare(e.Lane, o.Lane), strings.Compare(e.Timer, o.Timer), cmp.Compare(e.Run, o.Run))
}

// expiryFilter is an io.Writer that receives a trace and writes its expiries to out, in the format of
// GoldenExpiries. It holds the expiries of one tick in memory, at most program.TickEventsMax per lane.
type expiryFilter struct {
	out   *bufio.Writer
	line  []byte   // beginning of a line whose end has not been received
	tick  []expiry // expiries of the current tick
	total int64    // number of expiries written
}

// Write processes part, the next bytes of the trace. A line may continue in the next call to Write.
func (f *expiryFilter) Write(part []byte) (int, error) {
	n := len(part)
	for {
		line, rest, complete := bytes.Cut(part, []byte("\n"))
		f.line = append(f.line, line...)
		if !complete {
			return n, nil
		}
		if err := f.take(f.line); err != nil {
			return 0, err
		}
		f.line, part = f.line[:0], rest
	}
}

// take processes line, a line of the trace. It ignores events other than expiries.
func (f *expiryFilter) take(line []byte) error {
	var event struct {
		expiry
		Kind     string
		Scenario struct{ Name string }
		Pending  json.RawMessage
	}
	if !bytes.Contains(line, []byte(`"kind":"expire"`)) && !bytes.HasPrefix(line, []byte(`{"wheelscope"`)) && !bytes.HasPrefix(line, []byte(`{"kind":"end"`)) {
		return nil
	}
	event.Run = 1 // a trace omits the number of a first run
	if err := json.Unmarshal(line, &event); err != nil {
		return err
	}
	switch event.Kind {
	case "trace":
		return f.write(struct {
			Simtest  string `json:"simtest"`
			Version  int    `json:"version"`
			Scenario string `json:"scenario"`
		}{"expiries", 1, event.Scenario.Name})
	case "end":
		return cmp.Or(f.flush(), f.write(struct {
			Expiries int64           `json:"expiries"`
			Pending  json.RawMessage `json:"pending"`
		}{f.total, event.Pending}))
	}
	if len(f.tick) > 0 && f.tick[0].Tick != event.Tick {
		if err := f.flush(); err != nil {
			return err
		}
	}
	f.tick = append(f.tick, event.expiry)
	return nil
}

// flush sorts and writes the expiries of the current tick.
func (f *expiryFilter) flush() error {
	slices.SortFunc(f.tick, expiry.compare)
	for _, e := range f.tick {
		if err := f.write(e); err != nil {
			return err
		}
	}
	f.total += int64(len(f.tick))
	f.tick = f.tick[:0]
	return nil
}

// write writes v as a line of JSON to f.out.
func (f *expiryFilter) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = f.out.Write(append(line, '\n'))
	return err
}

// compareExpiries runs p and compares its expiries with those in the golden file f. If they differ, the error describes
// the first difference.
func compareExpiries(p *program.Program, f *os.File) (err error) {
	var in io.Reader = f
	if strings.HasSuffix(f.Name(), ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	c := &lineComparer{want: bufio.NewReader(in)}
	if err := writeExpiries(c, p); err != nil {
		return err
	}
	if rest, err := c.next(); rest != "" || err != io.EOF {
		return c.differ(rest, "")
	}
	return nil
}

// lineComparer is an io.Writer that compares the lines it receives with those of want, and fails at the first
// difference.
type lineComparer struct {
	want   *bufio.Reader
	number int    // number of the last line of want that was read
	line   []byte // beginning of a line whose end has not been received
}

// Write compares the lines in part with the next lines of want. A line may continue in the next call to Write.
func (c *lineComparer) Write(part []byte) (int, error) {
	n := len(part)
	for {
		line, rest, complete := bytes.Cut(part, []byte("\n"))
		c.line = append(c.line, line...)
		if !complete {
			return n, nil
		}
		if want, err := c.next(); want != string(c.line) || err != nil {
			return 0, c.differ(want, string(c.line))
		}
		c.line, part = c.line[:0], rest
	}
}

// expiryLineMax is the maximum size in bytes of a line in a golden file. The longest line is the last
// one, because it contains all lanes.
const expiryLineMax = 1 << 20

// next returns the next line of want, the expected text, without its newline.
func (c *lineComparer) next() (string, error) {
	c.number++
	var line []byte
	for {
		part, err := c.want.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull || len(line) > expiryLineMax {
			return strings.TrimSuffix(string(line), "\n"), err
		}
	}
}

// differ returns an error that describes the difference between want, a line of the golden file, and got, a
// line of the run. A missing line is "".
func (c *lineComparer) differ(want, got string) error {
	want, got = (&tracefile.Diff{Got: want, Want: got}).Shown()
	return fmt.Errorf("the first expiry that differs is on line %d\n  file: %s\n  run:  %s\n  (-simtest.update writes the file anew)",
		c.number, cmp.Or(want, "nothing"), cmp.Or(got, "nothing"))
}
