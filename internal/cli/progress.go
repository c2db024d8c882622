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
	return &progress{began: time.Now(), bar: progressbar.NewOptions64(until,
		progressbar.OptionSetWriter(s.err), progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount(), progressbar.OptionSetItsString("ticks"))}
}

// set shows the tick that the run has reached.
func (p *progress) set(tick int64) {
	if p.bar != nil && time.Since(p.began) > progressAfter {
		_ = p.bar.Set64(tick)
	}
}

// done takes the bar away.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
