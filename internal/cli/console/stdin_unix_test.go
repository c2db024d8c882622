//go:build unix

package console

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a pipe without a writer waits until the context ends.
func TestPipeWithoutAWriter(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := OpenFile(ctx, name); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", f, err)
	}
	writer, err := os.OpenFile(name, os.O_RDWR, 0) // unblocks the waiting goroutine
	if err != nil {
		t.Fatal(err)
	}
	writer.Close()
}
