package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressAfter is the delay before the bar of a run is shown.
const progressAfter = time.Second

// progress is a progress bar on stderr, shown for long runs. The zero value shows nothing.
type progress struct {
	bar   *progressbar.ProgressBar
	began time.Time
}

// progress returns the bar of a run to tick until (-1: not known) whose output goes to w. It
// shows nothing if stderr is not a terminal, or if w is one too, since they would be mixed up.
func (s *streams) progress(w io.Writer, until int64, what string) *progress {
	if !isTerminal(s.err) || isTerminal(w) {
		return &progress{}
	}
	return newProgress(s.err, until, what)
}

// newProgress returns a bar on a terminal. Only set draws it: with an interval of its own, a bar
// of unknown length would be drawn by a goroutine that ends when the bar is full, and would
// overwrite the command's later output.
func newProgress(terminal io.Writer, until int64, what string) *progress {
	return &progress{began: time.Now(), bar: progressbar.NewOptions64(until,
		progressbar.OptionSetWriter(terminal), progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount(), progressbar.OptionSetItsString("ticks"))}
}

// set shows the tick that the run has reached.
func (p *progress) set(tick int64) {
	if p.bar != nil && time.Since(p.began) > progressAfter {
		_ = p.bar.Set64(tick)
	}
}

// done removes the bar from the terminal. Nothing is drawn afterwards.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
