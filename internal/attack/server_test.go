//go:build linux

package attack

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	addressSpaceKB = 3 << 20 // limit of the server's virtual memory: 3 GB
	startWait      = 30 * time.Second
	stopMax        = 5 * time.Second // time from SIGTERM to the end of the process
	sampleEvery    = 50 * time.Millisecond
	logBytesMax    = 64 << 10
)

// server is the real program under a limit of virtual memory.
type server struct {
	addr string // HOST:PORT
	pid  int
	cmd  *exec.Cmd
	log  *firstBytes
	done chan struct{} // closed when the process has ended
	peak atomic.Int64  // peak of resident memory in bytes
}

var listening = regexp.MustCompile(`listening on http://(\S+)`)

// serve starts the program on a free port; it ends with the test.
func serve(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{log: &firstBytes{}, done: make(chan struct{})}
	line := fmt.Sprintf(`ulimit -v %d; exec "$0" serve --addr 127.0.0.1:0 "$@"`, addressSpaceKB)
	s.cmd = exec.Command("sh", append([]string{"-c", line, programFile}, args...)...)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.pid = s.cmd.Process.Pid
	addrs := make(chan string, 1)
	go s.read(out, addrs)
	t.Cleanup(s.kill)
	select {
	case s.addr = <-addrs:
	case <-s.done:
		t.Fatalf("serve ended without listening: %s", s.log)
	case <-time.After(startWait):
		t.Fatalf("serve printed no address within %s: %s", startWait, s.log)
	}
	go s.sample()
	return s
}

// read reads the address from the output, sends it to addrs and waits for the end of the process.
func (s *server) read(out io.Reader, addrs chan<- string) {
	defer close(s.done)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			select {
			case addrs <- strings.TrimRight(m[1], "/"):
			default:
			}
		}
	}
	s.cmd.Wait()
}

// kill ends the process at once, if it is running.
func (s *server) kill() {
	s.cmd.Process.Kill()
	<-s.done
}

// terminate sends SIGTERM and returns how long the process took to end.
func (s *server) terminate() (time.Duration, error) {
	began := time.Now()
	s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
	case <-time.After(4 * stopMax):
		return 4 * stopMax, fmt.Errorf("the process still runs %s after SIGTERM", 4*stopMax)
	}
	took := time.Since(began)
	if took > stopMax {
		return took, fmt.Errorf("the process ended %s after SIGTERM, at most %s are allowed", rounded(took), stopMax)
	}
	return took, nil
}

func (s *server) alive() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// sample records the peak of resident memory until the process ends.
func (s *server) sample() {
	for s.alive() {
		s.peak.Store(max(s.peak.Load(), s.memory("VmHWM"), s.memory("VmRSS")))
		time.Sleep(sampleEvery)
	}
}

// memory returns a value of /proc/PID/status in bytes; 0 if the process has ended.
func (s *server) memory(field string) int64 {
	return s.status(field) << 10
}

// status returns the number in a line of /proc/PID/status.
func (s *server) status(field string) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n
		}
	}
	return 0
}

// files returns the number of open file descriptors of the process.
func (s *server) files() int {
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.pid))
	if err != nil {
		return 0
	}
	return len(list)
}

// cpu returns the processor time that the process has used.
func (s *server) cpu() time.Duration { return cpuOf(s.pid, false) }

// healthy requests /healthz.
func (s *server) healthy() error {
	if !s.alive() {
		return fmt.Errorf("the process has ended: %s", s.cause())
	}
	res, err := (&http.Client{Timeout: answerMax}).Get("http://" + s.addr + "/healthz")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("/healthz: %s", res.Status)
	}
	return nil
}

// cause returns the line of the log with the reason for the end of the process.
func (s *server) cause() string {
	text := strings.TrimSpace(s.log.String())
	for line := range strings.Lines(text) {
		for _, word := range []string{"fatal error", "panic:", "out of memory", "cannot allocate", "failed"} {
			if strings.Contains(line, word) {
				return strings.TrimSpace(line) + framesOf(text)
			}
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	return fmt.Sprintf("%v: %s", s.cmd.ProcessState, first)
}

// framesOf returns the first functions of the program in a stack trace.
func framesOf(text string) string {
	const module, most = "github.com/wheelscope/wheelscope/", 4
	var frames []string
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, module); ok && len(frames) < most {
			name, _, _ = strings.Cut(name, "(0x")
			frames = append(frames, strings.TrimSpace(name))
		}
	}
	if len(frames) == 0 {
		return ""
	}
	return " in " + strings.Join(frames, " < ")
}

// firstBytes keeps the first logBytesMax bytes written to it: the log of a crash begins with the
// cause.
type firstBytes struct {
	mu  sync.Mutex
	buf []byte
}

func (b *firstBytes) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = append(b.buf, p[:min(len(p), logBytesMax-len(b.buf))]...)
	return len(p), nil
}

func (b *firstBytes) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.buf)
}
