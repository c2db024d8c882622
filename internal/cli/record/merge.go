package record

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// Limits of a recording.
const (
	EventsMax    = 10_000_000 // maximum number of events of one process; further ones are not recorded
	ProcessesMax = 1000       // maximum number of processes
)

// Summary describes a recording.
type Summary struct {
	Processes int
	Events    int64
	Full      bool // whether a process had more than EventsMax events
	Duration  time.Duration
}

const eventBytes = 24 // of recordedEvent in patch/time.go.txt

// Merge writes what the processes have left in dir as one recording to out, each process as a source of its own. Times
// count from the first event.
func Merge(ctx context.Context, dir string, out io.Writer) (Summary, error) {
	var s Summary
	files, err := os.ReadDir(dir)
	if err != nil {
		return s, err
	}
	if len(files) > ProcessesMax {
		return s, fmt.Errorf("%d processes were recorded; expected %d or fewer", len(files), ProcessesMax)
	}
	first, last := int64(-1), int64(0)
	var names []string
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		any, err := read(ctx, name, func(e raw) {
			if first < 0 || e.at < first {
				first = e.at
			}
			last = max(last, e.at)
		})
		if err != nil {
			return s, err
		}
		if any > 0 {
			names = append(names, name)
			s.Full = s.Full || any >= EventsMax
		}
	}
	s.Processes = len(names)
	w := recording.NewWriter(out)
	for k, name := range names {
		known := map[uint32]bool{}
		var block []recording.Event
		if _, err = read(ctx, name, func(e raw) {
			if e.kind == recording.Stop && !known[e.timer] {
				return // a ticker or a connection without a deadline
			}
			known[e.timer] = e.kind != recording.Stop
			s.Events++
			block = append(block, recording.Event{At: time.Duration(e.at - first), Delay: time.Duration(e.delay), Timer: e.timer, Kind: e.kind})
			if len(block) == recording.BlockMax {
				w.Block(k, block, 0)
				block = block[:0]
			}
		}); err != nil {
			return s, err
		}
		w.Block(k, block, 0)
	}
	if first >= 0 {
		s.Duration = time.Duration(last - first)
	}
	w.End(s.Duration)
	return s, w.Flush()
}

// raw is an event as a process writes it.
type raw struct {
	at, delay int64
	timer     uint32
	kind      recording.Kind
}

// read calls f for each event of a file and returns their number.
func read(ctx context.Context, name string, f func(raw)) (n int64, err error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	var b [eventBytes]byte
	for {
		if n%4096 == 0 && ctx.Err() != nil {
			return n, ctx.Err()
		}
		if _, err := io.ReadFull(in, b[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		order := binary.NativeEndian
		e := raw{int64(order.Uint64(b[:])), int64(order.Uint64(b[8:])), order.Uint32(b[16:]), recording.Kind(order.Uint32(b[20:]))}
		if e.kind == 0 { // the rest was not used
			return n, nil
		}
		n++
		f(e)
	}
}
