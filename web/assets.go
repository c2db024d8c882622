package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/static"
)

const (
	gzipMin     = 1 << 10  // minimum number of bytes of an answer that is compressed
	packedPiece = 64 << 10 // number of bytes compressed between two calls of fairqueue.Pace
)

// packedAssets caches the compressed files of package static. Each is compressed once, at the best
// level.
var packedAssets sync.Map // name → []byte

// asset sends a file of package static. Its URL changes with its content, so browsers may cache it
// indefinitely.
func (s *Server) asset(c echo.Context) error {
	name, ok := static.Name(path.Join(static.Prefix, c.Param("*")))
	if !ok {
		return echo.ErrNotFound
	}
	data, ok := static.File(name)
	if !ok {
		return echo.ErrNotFound
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	return s.send(c, http.StatusOK, contentType(name), data, func() ([]byte, error) { return packedAsset(name, data), nil })
}

// contentType returns the media type for a file name. Common types do not depend on the system's
// MIME tables.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

func packedAsset(name string, data []byte) []byte {
	if p, ok := packedAssets.Load(name); ok {
		return p.([]byte)
	}
	p, _ := pack(context.Background(), data, gzip.BestCompression)
	packedAssets.Store(name, p)
	return p
}

// pack compresses data with gzip at the given compression level. It returns an error only if ctx is done.
func pack(ctx context.Context, data []byte, level int) ([]byte, error) {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, level)
	to := fairqueue.Writer(ctx, w)
	for piece := range slices.Chunk(data, packedPiece) {
		if _, err := to.Write(piece); err != nil {
			return nil, err
		}
	}
	w.Close()
	return b.Bytes(), nil
}

// takesGzip reports whether the client accepts gzip: Accept-Encoding lists it, or "*", with a weight other
// than 0 (RFC 9110, section 12.5.3).
func takesGzip(h http.Header) bool {
	takes := false
	for coding := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		_, q, given := strings.Cut(strings.TrimSpace(weight), "=")
		refused := given && strings.Trim(q, "0. ") == ""
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "gzip", "x-gzip":
			return !refused
		case "*":
			takes = !refused
		}
	}
	return takes
}

// send sends data with the media type kind. If the client accepts gzip and data has at least gzipMin bytes,
// it sends the result of packed instead.
func (s *Server) send(c echo.Context, code int, kind string, data []byte, packed func() ([]byte, error)) error {
	h := c.Response().Header()
	h.Add("Vary", "Accept-Encoding")
	if len(data) >= gzipMin && takesGzip(c.Request().Header) {
		var err error
		if data, err = packed(); err != nil {
			return err
		}
		h.Set("Content-Encoding", "gzip")
	}
	return c.Blob(code, kind, data)
}

func (s *Server) sendHTML(c echo.Context, code int, data []byte) error {
	return s.send(c, code, "text/html; charset=utf-8", data, func() (small []byte, err error) {
		err = s.inTurn(c.Request().Context(), func(ctx context.Context) (err error) {
			small, err = pack(ctx, data, gzip.DefaultCompression)
			return err
		})
		return small, err
	})
}
