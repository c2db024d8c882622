package console

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressAfter is how long a run must take before its progress bar is shown.
const progressAfter = time.Second

// Bar is a progress bar on stderr. The zero value displays nothing.
type Bar struct {
	bar   *progressbar.ProgressBar
	began time.Time
}

// Progress returns a progress bar for a command that writes to w. The parameter until is the value of
// [Bar.Set] at which the bar is full, such as the last tick of a run, or -1 if it is unknown. The parameter
// what is the label of the bar. The bar is displayed only if stderr is a terminal and w is not, so that the
// bar and the output of the command are not mixed.
func (s *Streams) Progress(w io.Writer, until int64, what string) *Bar {
	if !IsTerminal(s.Err) || IsTerminal(w) {
		return &Bar{}
	}
	return newBar(s.Err, until, what)
}

// newBar returns a progress bar that is drawn on terminal. The bar is drawn only when Set is called. By
// default, package progressbar would redraw a bar of unknown length in the background, which could overwrite
// later output of the command.
func newBar(terminal io.Writer, until int64, what string) *Bar {
	return &Bar{began: time.Now(), bar: progressbar.NewOptions64(until,
		progressbar.OptionSetWriter(terminal), progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount(), progressbar.OptionSetItsString("ticks"))}
}

// Set updates the bar to show that the run has reached tick. If the bar is for reading a file, tick is the
// number of bytes read. Set draws nothing in the first second after the bar was created.
func (p *Bar) Set(tick int64) {
	if p.bar != nil && time.Since(p.began) > progressAfter {
		_ = p.bar.Set64(tick)
	}
}

// Done removes the bar from the terminal. Nothing is drawn afterwards.
func (p *Bar) Done() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
