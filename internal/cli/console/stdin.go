package console

import (
	"context"
	"io"
	"os"
	"sync"
)

// Interruptible returns a reader that reads from in. Its Read returns an error once ctx is done, even while a read
// from in is blocked (on a terminal or a pipe). If in is a regular file, whose reads do not block, Interruptible
// returns in itself.
func Interruptible(ctx context.Context, in io.Reader) io.Reader {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return in
		}
	}
	return &waiting{ctx: ctx, in: in}
}

// waiting is the reader that Interruptible returns. Its first Read starts a goroutine that copies data from
// in to a pipe. Read reads from the pipe, so it can fail when ctx is done, even while the goroutine is
// blocked.
type waiting struct {
	ctx   context.Context
	in    io.Reader
	begin sync.Once
	out   *io.PipeReader // read end of the pipe
}

func (w *waiting) Read(p []byte) (int, error) {
	w.begin.Do(func() {
		out, to := io.Pipe()
		w.out = out
		context.AfterFunc(w.ctx, func() { to.CloseWithError(w.ctx.Err()) })
		go func() {
			_, err := io.Copy(to, w.in)
			to.CloseWithError(err)
		}()
	})
	return w.out.Read(p)
}

// Open opens the named file for reading, or returns stdin if the name is "-". Reads fail when ctx is done.
// done closes the file.
func Open(ctx context.Context, name string, stdin io.Reader) (in io.Reader, done func() error, err error) {
	if name == "-" {
		return stdin, func() error { return nil }, nil
	}
	f, err := OpenFile(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	return Interruptible(ctx, f), f.Close, nil
}

// OpenFile opens the named file. If it is a pipe, OpenFile waits for a writer until ctx is done.
func OpenFile(ctx context.Context, name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	var f *os.File
	opened := make(chan error, 1)
	go func() {
		var err error
		f, err = os.Open(name)
		opened <- err
	}()
	select {
	case err := <-opened:
		return f, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
