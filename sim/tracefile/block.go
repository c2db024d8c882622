package tracefile

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"sync/atomic"
)

const (
	BlockBytes = 64 << 10 // size in bytes at which a block of trace lines is passed to the goroutine that writes it
	blockSlack = 4 << 10  // additional capacity of a block for the end of its last line, which may extend beyond BlockBytes
	blockCount = 3        // number of blocks in memory: one being filled, one waiting, and one being written
)

// blockWriter writes a trace in blocks of many lines, and computes the digest of all blocks. Both are done by a
// separate goroutine, while the caller fills the next block. Blocks are written in the order in which they are passed
// to swap. The methods must not be called concurrently.
type blockWriter struct {
	w      io.Writer
	hash   hash.Hash
	full   chan []byte   // blocks to be written
	free   chan []byte   // blocks to be filled
	done   chan struct{} // closed when the goroutine has ended
	failed atomic.Pointer[error]
	closed bool
}

func newBlockWriter(w io.Writer) *blockWriter {
	b := &blockWriter{w: w, hash: sha256.New(), full: make(chan []byte, blockCount),
		free: make(chan []byte, blockCount), done: make(chan struct{})}
	for range blockCount - 1 {
		b.free <- make([]byte, 0, BlockBytes+blockSlack)
	}
	go b.work()
	return b
}

// swap passes block to the writing goroutine and returns an empty block to fill. It returns an error if an
// earlier block could not be written.
func (b *blockWriter) swap(block []byte) ([]byte, error) {
	b.full <- block
	return (<-b.free)[:0], b.err()
}

// finish waits until all blocks are written and returns their SHA-256 digest.
func (b *blockWriter) finish() ([]byte, error) {
	b.stop()
	return b.hash.Sum(nil), b.err()
}

// stop ends the writing goroutine and waits for it. It may be called more than once.
func (b *blockWriter) stop() {
	if !b.closed {
		b.closed = true
		close(b.full)
	}
	<-b.done
}

func (b *blockWriter) err() error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// work writes the blocks that it receives from b.full, until b.full is closed. After a write error it continues to
// receive blocks without writing them, so that swap does not block forever.
func (b *blockWriter) work() {
	defer close(b.done)
	for block := range b.full {
		if b.err() == nil {
			b.hash.Write(block)
			if _, err := b.w.Write(block); err != nil {
				err = fmt.Errorf("writing the trace: %w", err)
				b.failed.Store(&err)
			}
		}
		b.free <- block
	}
}
