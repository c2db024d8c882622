package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

var picture = flag.String("picture", "", "write the picture of README to this `file`")

// pictureBytesMax bounds the size of the README's picture.
const pictureBytesMax = 400 << 10

// view is how a page is displayed.
type view struct {
	wide, high int64
	scheme     string // "light" or "dark"
	lang       string
}

func (v view) String() string { return fmt.Sprintf("%dx%d-%s-%s", v.wide, v.high, v.scheme, v.lang) }

// look sets the size of the window and the preferred colours.
func (p *tab) look(v view) {
	p.Helper()
	p.do(chromedp.EmulateViewport(v.wide, v.high))
	p.media("", feature{"prefers-color-scheme", v.scheme})
}

// screenshot returns a picture of the window, at rest.
func (p *tab) screenshot() []byte {
	p.Helper()
	p.run(`document.documentElement.style.scrollbarWidth = "none"`)
	p.run(`Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})))`)
	p.frames()
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	return data
}

// TestPicture makes the picture of the README: the entry view at the tick in which timers cascade. It is as large as
// README shows it, and small enough. With -picture, it is written to a file.
func TestPicture(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1440, 900, "light", "en"})
	p.open(s.url + "/?scenario=ten-slots&t=10&lang=en")
	data := p.screenshot()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 1440 || b.Dy() != 900 || len(data) > pictureBytesMax {
		t.Errorf("the picture is %d × %d pixels in %d bytes", b.Dx(), b.Dy(), len(data))
	}
	if *picture != "" {
		write(t, *picture, data)
	}
}

// cascadeOf returns the timer of a run's first cascade, and the events that end the step before it
// and its own step.
func cascadeOf(t *testing.T, in *instants) (timer string, before, after int64) {
	t.Helper()
	for _, e := range eventLines(t, string(traceOf(t, in))) {
		if e.Kind != "cascade" {
			continue
		}
		for after < e.Seq {
			before, after = after, in.stepAfter(t, after)
		}
		return e.Timer, before, after
	}
	t.Fatal("no timer cascades")
	return "", 0, 0
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
