package serve_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// A server on loopback lowers the priority of all its threads; a server for other machines does
// not.
func TestServeLowersItsPriority(t *testing.T) {
	own := niceness(t, "/proc/self/stat")
	for addr, want := range map[string]int{"127.0.0.1:0": max(10, own), "0.0.0.0:0": own} {
		s := clitest.StartServer(t, "", "serve", "--addr", addr)
		threads, err := filepath.Glob("/proc/" + strconv.Itoa(s.Cmd.Process.Pid) + "/task/*/stat")
		if err != nil || len(threads) < 2 {
			t.Fatalf("threads %v, %v", threads, err)
		}
		for _, thread := range threads {
			if got := niceness(t, thread); got != want {
				t.Errorf("%s: a thread's niceness is %d, want %d", addr, got, want)
			}
		}
		s.Stop(t, syscall.SIGTERM)
	}
}

// niceness reads the niceness of a thread from its stat line: the 19th field, see proc(5).
func niceness(t *testing.T, stat string) int {
	t.Helper()
	line, err := os.ReadFile(stat)
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(line[bytes.LastIndexByte(line, ')')+1:])) // the fields from the third on
	n, err := strconv.Atoi(fields[16])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
