package web

import (
	"bytes"
	"compress/gzip"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/static"
)

// gzipMin is the least size in bytes of what is sent packed.
const gzipMin = 1 << 10

// packedAssets holds the files of package static that are worth packing, packed
// once, at the best level.
var packedAssets sync.Map // name → []byte

// asset sends a file of package static. Its address changes with its content, so
// a browser keeps it for ever.
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
	return s.send(c, http.StatusOK, contentType(name), data, func() []byte { return packedAsset(name, data) })
}

// contentType goes by the file's ending, not by what the machine's tables say.
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
	p := pack(data, gzip.BestCompression)
	packedAssets.Store(name, p)
	return p
}

// pack compresses data. A writer into memory does not fail.
func pack(data []byte, level int) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, level)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// takesGzip says whether a client can take gzip: it names it, or everything,
// without the weight 0 (RFC 9110, section 12.5.3).
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

// send answers with data, packed where the client can take that and it is worth
// it.
func (s *Server) send(c echo.Context, code int, kind string, data []byte, packed func() []byte) error {
	h := c.Response().Header()
	h.Add("Vary", "Accept-Encoding")
	if len(data) >= gzipMin && takesGzip(c.Request().Header) {
		h.Set("Content-Encoding", "gzip")
		data = packed()
	}
	return c.Blob(code, kind, data)
}

func (s *Server) sendHTML(c echo.Context, code int, data []byte) error {
	return s.send(c, code, "text/html; charset=utf-8", data, func() []byte { return pack(data, gzip.BestSpeed) })
}
