package timerhttp

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"text/tabwriter"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// text sends the statistics of the wheel as plain text. It sends the previous text again if that text is less than
// period (100 ms) old.
func (s *server) text(w http.ResponseWriter) {
	s.mu.Lock()
	if s.report == nil || time.Since(s.written) >= period {
		s.report, s.written = s.write(), time.Now()
	}
	report := s.report
	s.mu.Unlock()
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.Write(report)
}

// write returns the statistics of the wheel as plain text, which server.text sends. s.mu must be held.
func (s *server) write() []byte {
	var b bytes.Buffer
	st := s.wheel.Stats()
	fmt.Fprintf(&b, "wheel: %s, tick %v, %d shards\n\n", s.info.Algorithm, s.info.Tick, s.info.Shards)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		value any
	}{
		{"pending", st.Pending}, {"running", st.Running}, {"fired", st.Fired}, {"canceled", st.Canceled},
		{"panicked", st.Panicked}, {"late", st.Late},
		{"slot skew", fmt.Sprintf("%.2f", st.SlotSkew)}, {"shard skew", fmt.Sprintf("%.2f", st.ShardSkew)},
	} {
		fmt.Fprintf(t, "%s\t%v\n", row.name, row.value)
	}
	t.Flush()
	if s.viewers > 0 {
		if found := s.herd(); found != nil {
			fmt.Fprintf(&b, "herd: %v\n", found)
		}
	}
	writeLateness(&b, &st.Lateness)
	writeShards(&b, s.source.Shards())
	return b.Bytes()
}

// writeLateness writes h to b as a table with a line for each bucket that is not empty.
func writeLateness(b *bytes.Buffer, h *timer.Histogram) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nlateness up to\ttimers\t")
	for k, n := range h.Counts {
		switch bound := h.Bound(k); {
		case n == 0:
		case bound == math.MaxInt64:
			fmt.Fprintf(t, "longer\t%d\t\n", n)
		default:
			fmt.Fprintf(t, "%v\t%d\t\n", bound, n)
		}
	}
	t.Flush()
	fmt.Fprintln(b)
}

// writeShards writes shards to b as a table with a line for each level of each shard.
func writeShards(b *bytes.Buffer, shards []watch.Shard) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "shard\tnow\tpending\tlevel\tslots\twidth\toccupied\ttimers\tfullest\t")
	for k, sh := range shards {
		if len(sh.Levels) == 0 {
			fmt.Fprintf(t, "%d\t%d\t%d\t-\t-\t-\t-\t-\t-\t\n", k, sh.Now, sh.Pending)
		}
		for _, l := range sh.Levels {
			fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n",
				k, sh.Now, sh.Pending, l.Level.Level, l.Slots, l.Width, l.Occupied, l.Timers, l.Fullest)
		}
	}
	t.Flush()
}
