package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"
)

func TestTakesGzip(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "x-gzip": true, "gzip, deflate, br": true, "br;q=1.0, gzip;q=0.8, *;q=0.1": true, "*": true, "br,*;q=0.5": true,
		"identity": false, "br": false, "gzip;q=0": false, "gzip; q=0.000": false, "*;q=0": false, "gzip;q=0, *": false, "*, gzip;q=0": false, "gzipped": false, "gzip;q=0.001": true, ";;,": false,
	} {
		if got := takesGzip(http.Header{"Accept-Encoding": {accept}}); got != want {
			t.Errorf("%q: %v, want %v", accept, got, want)
		}
	}
	if !takesGzip(http.Header{"Accept-Encoding": {"br", "gzip"}}) || takesGzip(http.Header{}) {
		t.Error("a header of two lines, or none, is misread")
	}
}

// A page is compressed anew for each request because of its nonce; both forms have the same
// content.
func TestPageIsPacked(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		plain, packed := h.get("/?scenario=reach&t=3", "Accept-Encoding", "gzip;q=0"), h.get("/?scenario=reach&t=3", "Accept-Encoding", "gzip")
		if got := unpack(t, packed); cursorOf(got) != cursorOf(plain.body) || len(got) != len(plain.body) || len(packed.body) > len(plain.body)/2 {
			t.Errorf("%d bytes packed to %d; plain it has %d", len(got), len(packed.body), len(plain.body))
		}
		if plain.header.Get("Cache-Control") != "no-store" {
			t.Errorf("a page with a nonce is kept: %v", plain.header)
		}
	})
}

func TestContentTypeGoesByTheEnding(t *testing.T) {
	for name, want := range map[string]string{"js/a.js": "text/javascript; charset=utf-8", "a.mjs": "text/javascript; charset=utf-8", "a.b.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml", "x.json": "application/json", "none": ""} {
		if got := contentType(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestPackIsGzip(t *testing.T) {
	data := bytes.Repeat([]byte("wheel "), 1000)
	for _, level := range []int{gzip.BestSpeed, gzip.BestCompression} {
		packed, err := pack(t.Context(), data, level)
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
			t.Errorf("level %d: %v", level, err)
		}
	}
}
