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
	gzipMin     = 1 << 10  // minimum size, in bytes, at which a response body is compressed
	packedPiece = 64 << 10 // number of bytes that are compressed between two calls to fairqueue.Pace, which lets other work use the processor
)

// packedAssets caches the files of package static in compressed form. A file is compressed, with
// gzip.BestCompression, when it is first requested.
var packedAssets sync.Map // maps the name of a file, a string, to its content compressed with gzip, a []byte

// asset serves a file from package static. The URL of a file changes with its content, so browsers may cache the file
// indefinitely.
func (s *Server) asset(c echo.Context) error {
	name, ok := static.Name(path.Join(static.Prefix, c.Param("*")))
	if !ok {
		return echo.ErrNotFound
	}
	if s.modules != nil {
		if data, ok := static.Source(s.modules, name); ok {
			c.Response().Header().Set("Cache-Control", "no-store")
			return c.Blob(http.StatusOK, contentType(name), data)
		}
	}
	data, ok := static.File(name)
	if !ok {
		return echo.ErrNotFound
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	return s.send(c, http.StatusOK, contentType(name), data, func() ([]byte, error) { return packedAsset(name, data), nil })
}

// contentType returns the media type of the named file. For common types, it does not depend on the MIME tables
// of the operating system.
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

// packedAsset returns data, the content of the named file, compressed with gzip. The result is kept for later
// calls.
func packedAsset(name string, data []byte) []byte {
	if p, ok := packedAssets.Load(name); ok {
		return p.([]byte)
	}
	p, _ := pack(context.Background(), data, gzip.BestCompression)
	packedAssets.Store(name, p)
	return p
}

// pack returns data compressed with gzip at the given level. If ctx carries a turn of package fairqueue, pack
// calls fairqueue.Pace regularly, so that other work can run in between. If Pace fails, pack returns its error.
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

// takesGzip reports whether the client accepts a response compressed with gzip. h is the header of its request. The
// client accepts gzip if the Accept-Encoding header lists gzip with a weight other than 0, or if it does not list gzip
// but lists "*" with such a weight (RFC 9110, section 12.5.3).
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

// send sends a response with the given status code and media type. The body is data or, if the client accepts gzip and
// data has at least gzipMin bytes, the result of packed. packed must return data compressed with gzip.
func (s *Server) send(c echo.Context, code int, mediaType string, data []byte, packed func() ([]byte, error)) error {
	h := c.Response().Header()
	h.Add("Vary", "Accept-Encoding")
	if len(data) >= gzipMin && takesGzip(c.Request().Header) {
		var err error
		if data, err = packed(); err != nil {
			return err
		}
		h.Set("Content-Encoding", "gzip")
	}
	return c.Blob(code, mediaType, data)
}

// sendHTML sends the HTML page data with the status code. If the page must be compressed, sendHTML first waits for a
// turn to use a processor.
func (s *Server) sendHTML(c echo.Context, code int, data []byte) error {
	return s.send(c, code, "text/html; charset=utf-8", data, func() (small []byte, err error) {
		err = s.inTurn(c.Request().Context(), func(ctx context.Context) (err error) {
			small, err = pack(ctx, data, gzip.DefaultCompression)
			return err
		})
		return small, err
	})
}
