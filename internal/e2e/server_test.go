package e2e

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// server is a process of the real program, serving the page.
type server struct {
	url  string // URL of the server, http://HOST:PORT
	cmd  *exec.Cmd
	log  *lockedBuffer
	done chan struct{} // closed when the process has ended
}

var listening = regexp.MustCompile(`listening on (http://\S+)`)

// serve starts the program on a free port; it ends with the test.
func serve(t testing.TB, args ...string) *server {
	t.Helper()
	return serveAt(t, "127.0.0.1:0", args...)
}

// serveAt starts the program on an address.
func serveAt(t testing.TB, addr string, args ...string) *server {
	t.Helper()
	s := &server{log: &lockedBuffer{}, done: make(chan struct{})}
	s.cmd = exec.Command(binary, append([]string{"serve", "--addr", addr}, args...)...)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	urls := make(chan string, 1)
	go s.read(out, urls)
	t.Cleanup(func() { s.stop(t) })
	select {
	case s.url = <-urls:
	case <-s.done:
		t.Fatalf("serve ended without listening: %s", s.log)
	case <-time.After(startTime):
		t.Fatalf("serve printed no address within %s: %s", startTime, s.log)
	}
	return s
}

// read sends the URL to urls and keeps the rest of the program's output, until the program ends.
func (s *server) read(out io.Reader, urls chan<- string) {
	defer close(s.done)
	lines := bufio.NewScanner(out)
	for found := false; lines.Scan(); {
		s.log.Write(append(lines.Bytes(), '\n'))
		if m := listening.FindStringSubmatch(lines.Text()); m != nil && !found {
			found = true
			urls <- strings.TrimRight(m[1], "/")
		}
	}
	s.cmd.Wait()
}

// stop ends the program gracefully and waits for it. Further calls do nothing.
func (s *server) stop(t testing.TB) {
	t.Helper()
	select {
	case <-s.done:
		return
	default:
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
	case <-time.After(stopTime):
		s.cmd.Process.Kill()
		<-s.done
		t.Errorf("serve did not end within %s of SIGTERM: %s", stopTime, s.log)
	}
}

// addr is the HOST:PORT that the server listens on.
func (s *server) addr() string { return strings.TrimPrefix(s.url, "http://") }

// get fetches a path without a browser.
func (s *server) get(t testing.TB, path string) (body []byte, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), settleTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	return body, res.StatusCode
}

// command runs another command of the program and returns its output.
func command(t testing.TB, stdin []byte, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("wheelscope %s: %v: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.Bytes()
}

// lockedBuffer is a buffer for concurrent writes.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
