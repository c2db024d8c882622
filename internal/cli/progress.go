package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressAfter is how long a run works before its bar is shown.
const progressAfter = time.Second

// progress is a bar on stderr, shown when a run takes long. The zero value shows
// nothing.
type progress struct {
	bar   *progressbar.ProgressBar
	began time.Time
}

// progress makes the bar of a run to tick `until` (-1: not known) whose output goes
// to w. There is none where stderr is no terminal, or where w is one too: they
// would get mixed up.
func (s *streams) progress(w io.Writer, until int64, what string) *progress {
	if !isTerminal(s.err) || isTerminal(w) {
		return &progress{}
	}
	return newProgress(s.err, until, what)
}

// newProgress makes a bar on a terminal. It is drawn by set only: with an interval of its
// own, a bar of unknown length would be drawn by a goroutine that ends only when the bar
// is full, and so would overwrite what the command prints next.
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

// done removes the bar from the terminal. Nothing is drawn after it.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
