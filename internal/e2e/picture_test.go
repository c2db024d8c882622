package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	picture = flag.String("picture", "", "write the picture of README to this `file`")
	gallery = flag.String("gallery", "", "write pictures of many views to this `directory`, to be looked at")
)

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

// TestPicture makes the picture of the README: the entry view at the tick in which timers cascade. It writes the
// picture only if -picture names a file.
func TestPicture(t *testing.T) {
	if *picture == "" && *gallery == "" {
		t.Skip("makes a picture if -picture names a file")
	}
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
	if *gallery != "" {
		galleryOf(t, s, *gallery)
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

// galleryOf writes pictures of the views for inspection.
func galleryOf(t *testing.T, s *server, dir string) {
	t.Helper()
	for _, at := range []string{"three-slots&t=3", "three-slots", "heartbeats&t=300", "hundred-thousand&t=2000", "crowded-slot&t=40", "reach&t=5", "migration&t=10"} {
		for _, v := range []view{{1440, 900, "light", "en"}, {390, 844, "light", "zh"}, {3840, 2160, "dark", "en"}, {1440, 900, "dark", "zh"}} {
			p := newTab(t)
			p.look(v)
			p.open(s.url + "/?view=lab&scenario=" + at + "&lang=" + v.lang)
			write(t, filepath.Join(dir, at+"-"+v.String()+".png"), p.screenshot())
		}
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
