package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// shapesForTest returns the shapes of a wheel with some timers.
func shapesForTest(t testing.TB, timers int) ([]shape, palette) {
	t.Helper()
	colours, err := paletteOf("light")
	if err != nil {
		t.Fatal(err)
	}
	p, l := wheelOf(timers)
	all, err := layOut(t.Context(), p, l, colours)
	if err != nil {
		t.Fatal(err)
	}
	return all, colours
}

// A picture painted in bands has the same pixels as one painted in one piece, except for the
// rounding of coverage where a band's border cuts a shape. A picture of up to 980 pixels in width
// is a single band, without borders.
func TestBands(t *testing.T) {
	const differs = 2 // of 255
	if n := bandRows(980); n != heightOf(980) {
		t.Errorf("a picture of 980 pixels in width is painted in bands of %d rows", n)
	}
	for _, timers := range []int{16, 8 * 100, 8 * 300} {
		all, colours := shapesForTest(t, timers)
		paint := func(rows int) *image.RGBA {
			var b bytes.Buffer
			if err := writeBands(t.Context(), &b, all, colours, Options{Width: 500}, rows); err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(&b)
			if err != nil {
				t.Fatal(err)
			}
			return img.(*image.RGBA)
		}
		want := paint(heightOf(500))
		for _, rows := range []int{40, 199} {
			got := paint(rows)
			for i, v := range got.Pix {
				if d := int(v) - int(want.Pix[i]); d < -differs || d > differs {
					t.Fatalf("%d timers, bands of %d rows: byte %d is %d, want %d", timers, rows, i, v, want.Pix[i])
				}
			}
		}
	}
}

// blend returns the result of the standard library's draw.DrawMask.
func TestBlend(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		size := image.Rect(0, 0, 1+random.IntN(40), 1+random.IntN(5))
		at := size.Add(image.Pt(random.IntN(9), random.IntN(9)))
		whole := image.Rect(0, 0, 50, 20)
		got, want := image.NewRGBA(whole), image.NewRGBA(whole)
		for i := range got.Pix {
			got.Pix[i] = uint8(random.Uint32())
			if i%4 == 3 {
				got.Pix[i] = 0xff
			}
		}
		copy(want.Pix, got.Pix)
		mask := image.NewAlpha(size)
		for i := range mask.Pix {
			mask.Pix[i] = []uint8{0, 0, 0, 0xff, uint8(random.Uint32())}[random.IntN(5)]
		}
		if random.IntN(2) == 0 {
			clear(mask.Pix[len(mask.Pix)/3:])
		}
		with := color.NRGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), []uint8{0xff, 0x59, 1}[random.IntN(3)]}
		blend(got, at, with, mask)
		draw.DrawMask(want, at, image.NewUniform(with), image.Point{}, mask, image.Point{}, draw.Over)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Fatalf("%v over %v in %v differs from draw.DrawMask", with, size, at)
		}
	}
}

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// All stages of a picture stop when the context is done: reading shapes, painting, encoding.
func TestWriteStops(t *testing.T) {
	for _, as := range Formats() {
		p, l := wheelOf(8 * 100)
		looks := &countdown{t.Context(), 1 << 30}
		if err := Write(looks, io.Discard, as, p, l, Options{Width: 1100}); err != nil {
			t.Fatal(err)
		}
		n := 1<<30 - looks.left
		if n < 50 {
			t.Errorf("%s: the context is looked at %d times", as, n)
		}
		for _, at := range []int{0, 1, n / 4, n / 2, n - 1} {
			c := &countdown{t.Context(), at}
			if err := Write(c, io.Discard, as, p, l, Options{Width: 1100}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, look %d of %d: %v", as, at, n, err)
			}
			if c.left < -4 { // layers of the template may check once more each
				t.Errorf("%s, look %d of %d: %d more looks", as, at, n, -c.left)
			}
		}
	}
}

// The context is checked for every encoded row, and while a band is painted.
func TestPaintingLooksAtContext(t *testing.T) {
	all, colours := shapesForTest(t, 8*240)
	looks := &countdown{t.Context(), 1 << 30}
	o := Options{Width: WidthMin}
	if err := writePNG(looks, io.Discard, all, colours, o); err != nil {
		t.Fatal(err)
	}
	if n, want := 1<<30-looks.left, heightOf(o.Width)+len(all)/shapesPerCheck; n < want {
		t.Errorf("%d looks for %d shapes and %d rows, want %d", n, len(all), heightOf(o.Width), want)
	}
}

// A picture needs no more memory than Bytes returns.
func TestBytes(t *testing.T) {
	old := debug.SetGCPercent(10)
	defer debug.SetGCPercent(old)
	for _, timers := range []int{8 * 240, 8 * 300} {
		p, l := wheelOf(timers)
		o := Options{Width: WidthMax}
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		done, peak := make(chan error), uint64(0)
		var b bytes.Buffer
		go func() { done <- Write(t.Context(), &b, "png", p, l, o) }()
		for writing := true; writing; {
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				writing = false
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapInuse)
			}
		}
		if got, most := int64(peak)-int64(before.HeapInuse), Bytes(o); got > most {
			t.Errorf("%d timers: %d bytes at the peak, Bytes says %d", timers, got, most)
		}
		t.Logf("%d timers: peak %d, Bytes %d, file %d", timers, int64(peak)-int64(before.HeapInuse), Bytes(o), b.Len())
	}
	if Bytes(Options{Width: WidthMax}) > 56<<20 {
		t.Error("the largest picture takes more than 56 MiB")
	}
}

// A file larger than OutputMax results in an error and does not use memory.
func TestOutputMax(t *testing.T) {
	w := &bounded{io.Discard, 10, 10}
	if n, err := w.Write(make([]byte, 8)); n != 8 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := w.Write(make([]byte, 3)); err == nil || !strings.HasPrefix(err.Error(), "the picture has more than 10 bytes") {
		t.Errorf("%v", err)
	}
}

// BenchmarkPNG paints the largest pictures of a heat map and of dots.
func BenchmarkPNG(b *testing.B) {
	for name, timers := range map[string]int{"heat": 8 * 300, "dots": 8 * 240} {
		all, colours := shapesForTest(b, timers)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := writePNG(b.Context(), io.Discard, all, colours, Options{Width: WidthMax}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
