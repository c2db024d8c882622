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

// bodies receives the complete body of a request before the request is processed, so that a slow sender does
// not occupy one of the few slots in which files are read.
type bodies struct {
	arriving chan struct{} // semaphore with an element for each body that is being received or waits to be read
	small    chan struct{} // semaphore with an element for each body of a known length up to BodyBytesMax that is being received
	disk     atomic.Int64  // number of bytes in temporary files

	mu      sync.Mutex
	readers map[*pacedReader]struct{} // readers of the bodies that occupy places in arriving
}

func newBodies() *bodies {
	return &bodies{arriving: make(chan struct{}, BodiesMax), small: make(chan struct{}, SmallBodiesMax), readers: map[*pacedReader]struct{}{}}
}

// spooled is a request body that was received: in memory up to SpoolMemoryMax bytes, in a temporary file
// beyond that.
type spooled struct {
	owner  *bodies
	memory bytes.Buffer
	file   *os.File // temporary file that holds the body; nil while the body is in memory
	named  bool     // whether the file still has a name, since it could not be removed while open
	onDisk int64
	leave  func() // releases the place of the body among those being received
}

// errSpoolFull is returned if the bodies on disk would take more than SpoolBytesMax.
var errSpoolFull = errors.New("spool full")

// errDisplaced is returned for a body that was cut off because another body waited for its place.
var errDisplaced = errors.New("displaced")

// receive reads the body of a request. The guard limits the size of the body, which must arrive at BodyRateMin
// bytes per second. The error, if any, is the response to the request. The caller must close the body.
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

// enter acquires the semaphore places, which is b.arriving or b.small, and reports whether it succeeded within
// placeWait. If b.arriving is full, enter first interrupts the slowest body that has been arriving for more than
// bodyTurn.
func (b *bodies) enter(ctx context.Context, places chan struct{}) bool {
	if take(ctx, places, 0) {
		return true
	}
	if places == b.arriving {
		b.cutSlowest()
	}
	return take(ctx, places, placeWait)
}

// cutSlowest interrupts the slowest body that has been arriving for more than bodyTurn, if there is one.
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

// read copies r to body. The caller must have acquired the semaphore places. The error is errDisplaced if the body
// was cut off to make room for another one.
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

// failed returns the response to a request whose body was not received because of err.
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

func spoolFull(c echo.Context) error {
	c.Response().Header().Set("Connection", "close")
	return retryLater(c, errmsg.Newf("files that are being read take all of %d bytes; try again in a while", SpoolBytesMax))
}

// take acquires the semaphore places. It reports whether it succeeded within wait and before ctx was done.
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

// Write appends to the body.
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

// toDisk moves the content from memory to a temporary file. It removes the name of the file if the system
// permits that for an open file.
func (s *spooled) toDisk() (err error) {
	if s.file, err = os.CreateTemp("", "wheelscope-body-*"); err != nil {
		return err
	}
	s.named = os.Remove(s.file.Name()) != nil
	_, err = s.writeFile(s.memory.Bytes())
	s.memory = bytes.Buffer{}
	return err
}

func (s *spooled) writeFile(p []byte) (int, error) {
	if s.owner.disk.Add(int64(len(p))) > SpoolBytesMax {
		s.owner.disk.Add(-int64(len(p)))
		return 0, errSpoolFull
	}
	s.onDisk += int64(len(p))
	return s.file.Write(p)
}

// size returns the number of bytes of the body.
func (s *spooled) size() int64 { return int64(s.memory.Len()) + s.onDisk }

// head returns the first bytes of the body, at most n.
func (s *spooled) head(n int) []byte {
	if s.file == nil {
		return s.memory.Bytes()[:min(n, s.memory.Len())]
	}
	head := make([]byte, n)
	n, _ = s.file.ReadAt(head, 0) // the reader of the whole body reports the error
	return head[:n]
}

// reader returns a reader of the complete body.
func (s *spooled) reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.memory.Bytes())
	}
	return io.NewSectionReader(s.file, 0, s.onDisk)
}

// slot acquires the semaphore slots, which limits the number of bodies that are read at a time, and then removes the
// body from those being received. ok is false if that took longer than wait. The caller must call release when it has
// read the body.
func (s *spooled) slot(ctx context.Context, slots chan struct{}, wait time.Duration) (release func(), ok bool) {
	if !take(ctx, slots, wait) {
		return nil, false
	}
	s.leave()
	return func() { <-slots }, true
}

// close releases the body's memory or file.
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

// pacedReader reads a body that must arrive fast enough. After bodyGrace it must have arrived at
// BodyRateMin bytes per second on average, without a pause longer than requestWait. A body of n bytes
// therefore takes at most bodyGrace plus n/BodyRateMin seconds.
type pacedReader struct {
	from    io.Reader
	control *http.ResponseController
	began   time.Time
	read    atomic.Int64

	mu        sync.Mutex // held while the connection's deadline is set
	displaced bool       // whether the body was cut off; guarded by mu and by bodies.mu
}

func (r *pacedReader) Read(p []byte) (int, error) {
	if err := r.setDeadline(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.read.Add(int64(n))
	return n, err
}

// setDeadline sets the deadline of the next read, or returns an error if the body is too slow.
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

// cut interrupts the body: a blocked read returns at once. bodies.mu must be held.
func (r *pacedReader) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.displaced = true
	_ = r.control.SetReadDeadline(time.Now()) // the connection may be closed already
}
