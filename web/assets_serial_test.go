//go:build !race

// Long tests of one request at a time, in which the race detector finds nothing; see the Makefile.

package web

import (
	"io/fs"
	"path"
	"testing"

	"github.com/wheelscope/wheelscope/static"
)

// Every static file has a media type that browsers accept with nosniff, and arrives complete,
// compressed or not.
func TestEveryAsset(t *testing.T) {
	types := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json", ".txt": "text/plain; charset=utf-8"}
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		look := func(name string) {
			want, _ := static.File(name)
			plain := h.get("/"+static.Path(name), "Accept-Encoding", "identity")
			if plain.code != 200 || plain.body != string(want) || plain.header.Get("Content-Type") != types[path.Ext(name)] || plain.header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %d %v, %d of %d bytes", name, plain.code, plain.header, len(plain.body), len(want))
			}
			if plain.header.Get("Vary") != "Accept-Encoding" || plain.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
				t.Errorf("%s: %v", name, plain.header)
			}
			packed := h.get("/"+static.Path(name), "Accept-Encoding", "gzip")
			if small := len(want) < gzipMin; small != (packed.header.Get("Content-Encoding") == "") || !small && unpack(t, packed) != string(want) {
				t.Errorf("%s: packed %v of %d bytes", name, packed.header, len(want))
			}
		}
		look(static.Sheet)
		err := fs.WalkDir(static.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				look(name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
