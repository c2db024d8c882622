package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// upload is a file that has been received completely: in memory, if it is small, or in a temporary file.
type upload struct {
	io.ReaderAt
	size  int64  // size of the file in bytes
	close func() // deletes the file and releases its place; must be called
}

// reader returns a new reader of the whole file.
func (u *upload) reader() io.Reader { return io.NewSectionReader(u, 0, u.size) }

// receive returns the body of a request when all of it has arrived. At most UploadsMax files are received or used at
// the same time, not counting those of a known length of at most BodyBytesMax bytes. If receive returns an error, the
// caller must send it as the response.
func (s *Server) receive(c echo.Context) (*upload, error) {
	r := c.Request()
	u := &upload{close: func() {}}
	small := r.ContentLength >= 0 && r.ContentLength <= BodyBytesMax
	if !small {
		select {
		case s.uploads <- struct{}{}:
			u.close = func() { <-s.uploads }
		default:
			c.Response().Header().Set("Connection", "close") // the body is not read
			return nil, texts.Errorf(texts.Unavailable, "", "%d files are arriving; try again in a while", UploadsMax)
		}
	}
	body := &pacedReader{from: r.Body, control: http.NewResponseController(c.Response()), began: time.Now()}
	err := u.fill(body, small)
	body.control.SetWriteDeadline(time.Now().Add(requestWait)) // the time to answer was running, too
	if err != nil {
		u.close()
		c.Response().Header().Set("Connection", "close")
		return nil, receiveFault(err)
	}
	return u, nil
}

// fill reads the body to its end.
func (u *upload) fill(body io.Reader, small bool) (err error) {
	if small {
		data, err := io.ReadAll(body)
		u.ReaderAt, u.size = bytes.NewReader(data), int64(len(data))
		return err
	}
	file, err := os.CreateTemp("", "wheelscope-upload-*")
	if err != nil {
		return err
	}
	os.Remove(file.Name()) // fails on systems that cannot remove an open file
	leave := u.close
	u.close = func() {
		file.Close()
		os.Remove(file.Name())
		leave()
	}
	u.ReaderAt = file
	u.size, err = io.Copy(file, body)
	return err
}

// receiveFault returns the error to send as the response if a body could not be received because of err.
func receiveFault(err error) error {
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return err
	case errors.As(err, new(*os.PathError)):
		return texts.Errorf(http.StatusInsufficientStorage, "", "the server has no room on its disk for the file")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return texts.Errorf(http.StatusRequestTimeout, "", "the file arrived too slowly: at least %d bytes a second are expected", UploadRateMin)
	}
	return texts.Errorf(http.StatusBadRequest, "", "the body can't be read completely: %s", err.Error())
}

// inMemory returns the content of the file, for which it reserves memory. The caller must call release when it no
// longer needs the content.
func (s *Server) inMemory(ctx context.Context, u *upload) (content []byte, release func(), err error) {
	mem, err := s.library.Store.ReserveWhenFree(ctx, u.size)
	if err != nil {
		return nil, nil, err
	}
	content = make([]byte, u.size)
	if _, err := io.ReadFull(u.reader(), content); err != nil {
		mem.Release()
		return nil, nil, err
	}
	return content, mem.Release, nil
}

// pacedReader reads a body of which, for each n, the first n bytes must arrive within uploadGrace plus n/UploadRateMin
// seconds.
type pacedReader struct {
	from    io.Reader
	control *http.ResponseController
	began   time.Time
	read    int64 // number of bytes that have arrived
}

// Read implements io.Reader. It returns an error that wraps os.ErrDeadlineExceeded if the body arrives too slowly.
func (r *pacedReader) Read(p []byte) (int, error) {
	if err := r.control.SetReadDeadline(r.began.Add(uploadGrace + time.Duration(r.read)*time.Second/UploadRateMin)); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.read += int64(n)
	return n, err
}
