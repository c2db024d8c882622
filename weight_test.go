package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Limits of what an import of wheel/timer adds to a program.
const (
	timerBytesMax    = 950_000 // of the stripped program
	timerPackagesMax = 90      // linked in total, including those of every Go program
)

const emptyProgram = `package main

func main() {}
`

const timerProgram = `package main

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

func main() {
	w, err := timer.New()
	if err != nil {
		panic(err)
	}
	defer w.Close()
	done := make(chan bool)
	w.AfterFunc(time.Millisecond, func() { close(done) })
	<-done
}
`

// A program that uses wheel/timer links few additional packages.
func TestTimerIsLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./wheel/timer").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	added := strippedSize(t, timerProgram) - strippedSize(t, emptyProgram)
	t.Logf("wheel/timer links %d packages and adds %d bytes", len(deps), added)
	if len(deps) > timerPackagesMax || added > timerBytesMax || added <= 0 {
		t.Errorf("expected at most %d packages and %d bytes; packages:\n%s", timerPackagesMax, timerBytesMax, out)
	}
}

// strippedSize returns the size of a program in bytes, built without symbols.
func strippedSize(t *testing.T, source string) int64 {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
