package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Both implementations write a new file, replace one, and remove one that could not be written
// completely.
func TestWrite(t *testing.T) {
	for what, write := range map[string]func(string, os.FileMode, func(io.Writer) error) error{"library": Write, "rename": rename} {
		t.Run(what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "trace.jsonl")
			text := func(s string) func(io.Writer) error {
				return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
			}
			if err := write(name, 0o600, text("first")); err != nil {
				t.Fatal(err)
			}
			expect(t, name, "first", 0o600)
			if err := os.Chmod(name, 0o640); err != nil {
				t.Fatal(err)
			}
			if err := write(name, 0o600, text("second")); err != nil {
				t.Fatal(err)
			}
			expect(t, name, "second", 0o640)
			fault := errors.New("full")
			if err := write(name, 0o600, func(w io.Writer) error { text("part")(w); return fault }); err != fault {
				t.Errorf("%v, want the error of who fills it", err)
			}
			expect(t, name, "second", 0o640)
			if err := write(filepath.Join(name, "below"), 0o600, text("")); err == nil {
				t.Error("written below a file")
			}
		})
	}
}

// An abandoned write leaves no file and replaces none, even if it continues.
func TestAbandon(t *testing.T) {
	for what, write := range map[string]func(string, os.FileMode, func(io.Writer) error) error{"library": Write, "rename": rename} {
		t.Run(what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "trace.jsonl")
			if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
				t.Fatal(err)
			}
			err := write(name, 0o600, func(w io.Writer) error {
				if _, err := io.WriteString(w, "part"); err != nil {
					return err
				}
				Abandon()
				expect(t, name, "before", 0o600)
				return nil
			})
			if err == nil {
				t.Error("an abandoned write succeeded")
			}
			expect(t, name, "before", 0o600)
			if err := write(name, 0o600, func(w io.Writer) error { return nil }); err != nil {
				t.Errorf("the next write: %v", err)
			}
		})
	}
}

// expect checks a file's content and permissions, and that no temporary file is left.
func expect(t *testing.T, name, want string, perm os.FileMode) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	info, err := os.Stat(name)
	if err != nil || os.PathSeparator == '/' && info.Mode().Perm() != perm {
		t.Errorf("%v, %v; want %v", info.Mode(), err, perm)
	}
	if all, err := os.ReadDir(filepath.Dir(name)); err != nil || len(all) != 1 {
		t.Errorf("beside it are %v, %v", all, err)
	}
}
