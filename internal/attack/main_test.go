//go:build linux

package attack

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

// full selects the full length and size of each case.
var full = flag.Bool("attack.full", false, "run each case at full length and size; minutes per case, not seconds")

// Shared by all tests.
var (
	programFile string   // path of the attacked program
	priority    *starter // starts processes with priority over the attackers
)

// clientNice is the niceness of attackers. It equals that of a server on the loopback address, so
// that neither has priority.
const clientNice = 10

func TestMain(m *testing.M) {
	if addr := os.Getenv(otherUserEnv); addr != "" {
		os.Exit(beOtherUser(addr))
	}
	flag.Parse()
	code, err := start(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "internal/attack:", err)
		code = 1
	}
	os.Exit(code)
}

// start builds the program and runs the tests.
func start(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "wheelscope-attack-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if programFile, err = testkit.BuildProgram(dir); err != nil {
		return 0, err
	}
	priority = newStarter()
	if err := lowerPriority(priority.thread); err != nil {
		return 0, err
	}
	code = m.Run()
	printTable()
	return code, nil
}

// lowerPriority sets the niceness of all threads of this process except the one with the id except.
// On Linux each thread has a niceness; new threads and processes inherit it.
func lowerPriority(except int) error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return err
		}
		if id == except {
			continue
		}
		if err := syscall.Setpriority(syscall.PRIO_PROCESS, id, clientNice); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}

// starter starts processes from a thread that keeps its priority. It is used for the other user,
// whose measurements the attackers must not delay.
type starter struct {
	thread int
	starts chan func()
}

func newStarter() *starter {
	s := &starter{starts: make(chan func())}
	ready := make(chan int)
	go func() {
		runtime.LockOSThread()
		ready <- syscall.Gettid()
		for start := range s.starts {
			start()
		}
	}()
	s.thread = <-ready
	return s
}

// start starts a command on the thread of s, so that the process has the priority of that thread.
func (s *starter) start(cmd *exec.Cmd) error {
	err := make(chan error)
	s.starts <- func() { err <- cmd.Start() }
	return <-err
}
