package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/errmsg"
)

// bodies receives the entire body of a request before the request is processed. Only a few bodies are processed at the
// same time, and a slow sender must not delay the processing of others.
type bodies struct {
	arriving chan struct{} // semaphore with an element for each body that is being received or waiting to be read, except for those counted by small
	small    chan struct{} // semaphore like arriving, but for small bodies: those of a known length of at most BodyBytesMax
	disk     atomic.Int64  // number of bytes in temporary files

	mu      sync.Mutex
	readers map[*pacedReader]struct{} // readers of the bodies that are being received, except for those counted by small
}

func newBodies() *bodies {
	return &bodies{arriving: make(chan struct{}, BodiesMax), small: make(chan struct{}, SmallBodiesMax), readers: map[*pacedReader]struct{}{}}
}

// spooled is a request body that has been or is being received. Up to SpoolMemoryMax bytes are kept in memory; a
// larger body is in a temporary file.
type spooled struct {
	owner  *bodies
	memory bytes.Buffer
	file   *os.File // temporary file that contains the body; nil if the body is in memory
	named  bool     // whether file still has a name, so that close must remove it; some operating systems cannot remove an open file
	onDisk int64    // number of bytes in file
	leave  func()   // releases the semaphore, arriving or small, that was acquired for the body; further calls have no effect
}

// errSpoolFull is returned by spooled.Write if the bodies on disk would exceed SpoolBytesMax bytes in total.
var errSpoolFull = errors.New("spool full")

// errDisplaced is the error for a body that was cut off while being received, to make room for another one.
var errDisplaced = errors.New("displaced")

// receive returns the body of a request when all of it has arrived. The body must arrive at no less than BodyRateMin
// bytes per second; the middleware guard limits its size. If receive returns an error, the caller must send it as the
// response. Otherwise the caller must close the body.
func (b *bodies) receive(c echo.Context) (*spooled, error) {
	r := c.Request()
	places := b.arriving
	if r.ContentLength >= 0 && r.ContentLength <= BodyBytesMax {
		places = b.small
	}
	if r.ContentLength > SpoolBytesMax-b.disk.Load() {
		return nil, spoolFull(c)
	}
	if !b.enter(r.Context(), places) {
		c.Response().Header().Set("Connection", "close") // the body is not read
		return nil, retryLater(c, errmsg.Newf("%d files are arriving; try again in a while", cap(places)))
	}
	body := &spooled{owner: b, leave: sync.OnceFunc(func() { <-places })}
	control := http.NewResponseController(c.Response())
	err := b.read(body, &pacedReader{from: r.Body, control: control, began: time.Now()}, places)
	control.SetWriteDeadline(time.Now().Add(requestWait)) // the time to answer was running, too
	if err != nil {
		body.close()
		c.Response().Header().Set("Connection", "close")
		return nil, b.failed(c, err)
	}
	return body, nil
}

// enter acquires places, which is either b.arriving or b.small, and reports whether it succeeded within placeWait. If
// places is b.arriving and is full, enter calls cutSlowest to make room before it waits.
func (b *bodies) enter(ctx context.Context, places chan struct{}) bool {
	if take(ctx, places, 0) {
		return true
	}
	if places == b.arriving {
		b.cutSlowest()
	}
	return take(ctx, places, placeWait)
}

// cutSlowest cuts off the slowest of the bodies that have been arriving for more than bodyTurn, if there are
// any.
func (b *bodies) cutSlowest() {
	b.mu.Lock()
	defer b.mu.Unlock()
	var slowest *pacedReader
	var least float64 // bytes a second
	for r := range b.readers {
		took := time.Since(r.began)
		if rate := float64(r.read.Load()) / took.Seconds(); took > bodyTurn && (slowest == nil || rate < least) {
			slowest, least = r, rate
		}
	}
	if slowest != nil {
		delete(b.readers, slowest)
		slowest.cut()
	}
}

// read copies r to body. places is the semaphore that the caller has acquired. If it is b.arriving, the body may be
// cut off while being received, to make room for another one; read then returns errDisplaced.
func (b *bodies) read(body *spooled, r *pacedReader, places chan struct{}) error {
	if places == b.arriving {
		b.mu.Lock()
		b.readers[r] = struct{}{}
		b.mu.Unlock()
	}
	_, err := io.Copy(body, r)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.readers, r)
	if r.displaced { // even if the body is complete: cut has ended the connection
		return errDisplaced
	}
	return err
}

// failed returns the error to send as the response if a body could not be received because of err.
func (b *bodies) failed(c echo.Context, err error) error {
	large := (*http.MaxBytesError)(nil)
	file := (*os.PathError)(nil)
	switch {
	case errors.As(err, &large):
		return err
	case errors.Is(err, errSpoolFull):
		return spoolFull(c)
	case errors.As(err, &file):
		return deny(http.StatusInsufficientStorage, "the server has no room on its disk for the file")
	case errors.Is(err, errDisplaced):
		return deny(http.StatusRequestTimeout, "the file arrived too slowly: other files wait, and after %s it was the slowest of %d files", bodyTurn.String(), BodiesMax)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return deny(http.StatusRequestTimeout, "the file arrived too slowly: at least %d bytes a second are expected", BodyRateMin)
	}
	return deny(http.StatusBadRequest, "the body can't be read completely: %s", err.Error())
}

// spoolFull returns the error to send as the response if there is no room on disk for a body. It makes the server close
// the connection, because the body is not read.
func spoolFull(c echo.Context) error {
	c.Response().Header().Set("Connection", "close")
	return retryLater(c, errmsg.Newf("files that are being read take all of %d bytes; try again in a while", SpoolBytesMax))
}

// take acquires the semaphore places by sending a value to it. It reports whether it succeeded within wait and
// before ctx was done.
func take(ctx context.Context, places chan struct{}, wait time.Duration) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
	}
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	select {
	case places <- struct{}{}:
		return true
	case <-timeout.C:
	case <-ctx.Done():
	}
	return false
}

// Write appends p to the body. If the body then exceeds SpoolMemoryMax bytes, Write moves it to a temporary file. Write
// implements io.Writer.
func (s *spooled) Write(p []byte) (int, error) {
	if s.file == nil && s.memory.Len()+len(p) <= SpoolMemoryMax {
		return s.memory.Write(p)
	}
	if s.file == nil {
		if err := s.toDisk(); err != nil {
			return 0, err
		}
	}
	return s.writeFile(p)
}

// toDisk moves the content from memory to a new temporary file. It immediately removes the file from its directory, if
// the operating system permits removing an open file, so that no file is left if the program crashes.
func (s *spooled) toDisk() (err error) {
	if s.file, err = os.CreateTemp("", "wheelscope-body-*"); err != nil {
		return err
	}
	s.named = os.Remove(s.file.Name()) != nil
	_, err = s.writeFile(s.memory.Bytes())
	s.memory = bytes.Buffer{}
	return err
}

// writeFile appends p to the temporary file. It returns errSpoolFull if the bodies on disk would then exceed
// SpoolBytesMax bytes in total.
func (s *spooled) writeFile(p []byte) (int, error) {
	if s.owner.disk.Add(int64(len(p))) > SpoolBytesMax {
		s.owner.disk.Add(-int64(len(p)))
		return 0, errSpoolFull
	}
	s.onDisk += int64(len(p))
	return s.file.Write(p)
}

// size returns the size of the body in bytes.
func (s *spooled) size() int64 { return int64(s.memory.Len()) + s.onDisk }

// head returns the first n bytes of the body, or all of it if it is shorter.
func (s *spooled) head(n int) []byte {
	if s.file == nil {
		return s.memory.Bytes()[:min(n, s.memory.Len())]
	}
	head := make([]byte, n)
	n, _ = s.file.ReadAt(head, 0) // the reader of the whole body reports the error
	return head[:n]
}

// reader returns a new reader of the whole body.
func (s *spooled) reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.memory.Bytes())
	}
	return io.NewSectionReader(s.file, 0, s.onDisk)
}

// slot acquires slots, a semaphore that limits how many bodies are read at the same time, and calls s.leave, so that
// another body can be received. The caller must call release when it has read the body. If slots cannot be acquired
// within wait and before ctx is done, slot does nothing and ok is false.
func (s *spooled) slot(ctx context.Context, slots chan struct{}, wait time.Duration) (release func(), ok bool) {
	if !take(ctx, slots, wait) {
		return nil, false
	}
	s.leave()
	return func() { <-slots }, true
}

// close releases the semaphore acquired for the body, unless that has been done, and deletes the temporary file, if
// any.
func (s *spooled) close() {
	s.leave()
	if s.file == nil {
		return
	}
	s.file.Close()
	if s.named {
		os.Remove(s.file.Name())
	}
	s.owner.disk.Add(-s.onDisk)
}

// pacedReader is an io.Reader that reads the body of a request and returns an error if it arrives too slowly. The first
// n bytes must arrive within bodyGrace plus n/BodyRateMin seconds, for each n, and no read may take longer than
// requestWait.
type pacedReader struct {
	from    io.Reader
	control *http.ResponseController
	began   time.Time    // time at which the server began to receive the body
	read    atomic.Int64 // number of bytes that have arrived

	mu        sync.Mutex // held while setting the connection's deadline
	displaced bool       // whether the body was cut off; written with both mu and bodies.mu held, read with either
}

// Read implements io.Reader. It returns an error that wraps os.ErrDeadlineExceeded if the body arrives too slowly or is
// cut off during the call, and errDisplaced if the body has already been cut off.
func (r *pacedReader) Read(p []byte) (int, error) {
	if err := r.setDeadline(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.read.Add(int64(n))
	return n, err
}

// setDeadline sets the deadline for the next read. It returns an error if too few bytes have arrived so far, or if
// the body was cut off.
func (r *pacedReader) setDeadline() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	until := r.began.Add(min(bodyGrace+time.Duration(r.read.Load())*time.Second/BodyRateMin, now.Sub(r.began)+requestWait))
	switch {
	case r.displaced:
		return errDisplaced
	case !until.After(now):
		return os.ErrDeadlineExceeded
	}
	return r.control.SetReadDeadline(until)
}

// cut cuts off the body: a blocked Read and all later ones return an error immediately. bodies.mu must be held.
func (r *pacedReader) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.displaced = true
	_ = r.control.SetReadDeadline(time.Now()) // the connection may be closed already
}
