package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file that could not be written completely is removed, and an existing one is unchanged.
func TestWriteWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	fail := func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("x", 1<<20))
		return fmt.Errorf("writing: %w", &os.PathError{Op: "write", Path: filepath.Join(dir, ".t123"), Err: syscall.ENOSPC})
	}
	for _, name := range []string{"new", "new.gz"} {
		err := WriteWhole(t.Context(), filepath.Join(dir, name), fail)
		if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), ".t123") {
			t.Errorf("%s: %v", name, err)
		}
	}
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := WriteWhole(t.Context(), old, fail); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	if data, _ := os.ReadFile(old); string(data) != "before" {
		t.Errorf("the file that was there holds %.20q", data)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}
