package console

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressAfter is how long a command must take before its progress bar is shown.
const progressAfter = time.Second

// Bar is a progress bar on stderr. The zero value displays nothing.
type Bar struct {
	bar   *progressbar.ProgressBar
	began time.Time
}

// Progress returns a progress bar for a command that runs a scenario and writes to w. The parameter until is
// the run's last tick, or -1 if it is unknown, and what is the label of the bar. The bar is displayed only if
// stderr is a terminal and w is not, so that the bar and the output of the command are not mixed.
func (s *Streams) Progress(w io.Writer, until int64, what string) *Bar {
	if !IsTerminal(s.Err) || IsTerminal(w) {
		return &Bar{}
	}
	return newBar(s.Err, until, what, false)
}

// ReadProgress returns a progress bar for a command that reads a file of size bytes. The parameter size is -1 if
// it is unknown. The bar is displayed only if stderr is a terminal.
func (s *Streams) ReadProgress(size int64) *Bar {
	if !IsTerminal(s.Err) {
		return &Bar{}
	}
	return newBar(s.Err, size, "reading", true)
}

// newBar returns a progress bar that is drawn on terminal and is full at until, a tick or, if bytes is true, a
// number of bytes. The bar is drawn only when Set is called. By default, package progressbar would redraw a bar of
// unknown length in the background, which could overwrite later output of the command.
func newBar(terminal io.Writer, until int64, what string, bytes bool) *Bar {
	return &Bar{began: time.Now(), bar: progressbar.NewOptions64(until,
		progressbar.OptionSetWriter(terminal), progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount(), progressbar.OptionShowBytes(bytes))}
}

// Set updates the bar to show that the run has reached tick n, or that n bytes have been read. It draws nothing in the
// first second after the bar was created.
func (p *Bar) Set(n int64) {
	if p.bar != nil && time.Since(p.began) > progressAfter {
		_ = p.bar.Set64(n)
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
