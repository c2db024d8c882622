//go:build linux

package faults

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

const (
	startWait    = 30 * time.Second // time for a worker to be ready
	exitWait     = 40 * time.Second // time for a worker to end
	logLinesMax  = 20_000           // number of lines of a worker's log that are kept
	commandWait  = 60 * time.Second // time for another command of the program
	readyMessage = "working on wheel"
)

// process is a worker process.
type process struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	log   *lines
	ready chan struct{} // closed when the worker is ready
	ended chan struct{} // closed when the process has ended
}

// launch starts the program as a worker, without waiting until it is ready.
func (s *scene) launch(args ...string) *process {
	s.t.Helper()
	args = append([]string{"worker", "--redis", s.addr}, args...)
	return s.start(exec.Command(program, args...))
}

// worker starts the program as a worker that may call loopback addresses, and waits until it is
// ready.
func (s *scene) worker(args ...string) *process {
	s.t.Helper()
	w := s.launch(append([]string{"--allow-private"}, args...)...)
	w.await()
	return w
}

// crew starts the given number of workers.
func (s *scene) crew(n int, args ...string) []*process {
	s.t.Helper()
	list := make([]*process, n)
	for i := range list {
		list[i] = s.launch(append([]string{"--allow-private"}, args...)...)
	}
	for _, w := range list {
		w.await()
	}
	return list
}

func (s *scene) start(cmd *exec.Cmd) *process {
	s.t.Helper()
	w := &process{t: s.t, name: fmt.Sprint("worker ", len(s.workers)+1), cmd: cmd, log: &lines{}, ready: make(chan struct{}), ended: make(chan struct{})}
	cmd.Stderr = w.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.workers = append(s.workers, w)
	go w.read(out)
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-w.ended
	})
	return w
}

// read waits for the line that says that the worker is ready, and then for the end of the process.
func (w *process) read(out io.Reader) {
	defer close(w.ended)
	waiting := true
	for text := bufio.NewScanner(out); text.Scan(); {
		if waiting && strings.Contains(text.Text(), readyMessage) {
			waiting = false
			close(w.ready)
		}
	}
	_ = w.cmd.Wait()
}

// await waits until the worker is ready.
func (w *process) await() {
	w.t.Helper()
	select {
	case <-w.ready:
	case <-w.ended:
		w.t.Fatalf("%s ended: %s", w.name, w.log.first())
	case <-time.After(startWait):
		w.t.Fatalf("%s does not work %v after its start: %s", w.name, startWait, w.log.first())
	}
}

// alive reports whether the process is running.
func (w *process) alive() bool {
	select {
	case <-w.ended:
		return false
	default:
		return true
	}
}

func (w *process) signal(sig syscall.Signal) { _ = w.cmd.Process.Signal(sig) }

// terminate sends SIGTERM and returns the time until the process has ended.
func (w *process) terminate() time.Duration {
	w.t.Helper()
	began := time.Now()
	w.signal(syscall.SIGTERM)
	select {
	case <-w.ended:
	case <-time.After(exitWait):
		w.t.Errorf("%s still runs %v after SIGTERM", w.name, exitWait)
	}
	return time.Since(began)
}

// lines keeps the lines of a log.
type lines struct {
	mu   sync.Mutex
	part []byte
	list []string
	all  int
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = append(l.part, p...)
	for {
		line, rest, ok := bytes.Cut(l.part, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		if l.all++; len(l.list) < logLinesMax {
			l.list = append(l.list, string(line))
		}
		l.part = rest
	}
}

// count returns the number of lines that contain all of some words, and the last such line.
func (l *lines) count(words ...string) (n int, last string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.list {
		has := true
		for _, word := range words {
			has = has && strings.Contains(line, word)
		}
		if has {
			n, last = n+1, line
		}
	}
	return n, last
}

func (l *lines) first() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == 0 {
		return "it printed nothing"
	}
	return l.list[0]
}

// Levels in a worker's log.
const (
	warning = "level=WARN"
	failure = "level=ERROR"
)

// logged counts the lines of a level that contain some words, in the logs of all workers.
func (s *scene) logged(words ...string) (n int, last string) {
	for _, w := range s.workers {
		m, line := w.log.count(words...)
		if n += m; m > 0 {
			last = line
		}
	}
	return n, last
}

// command runs another command of the program on the scene's Redis and returns its output.
func (s *scene) command(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), commandWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "WHEELSCOPE_REDIS="+s.addr)
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// handlerEnv is the environment variable that makes the test's program a worker with a handler. Its
// value is an address of Redis. The real program has no handlers.
const handlerEnv = "WHEELSCOPE_FAULTS_HANDLER"

// handlerName is the handler of such a worker. It calls the URL in the task's body.
const handlerName = "note"

// beHandlerWorker runs the worker until SIGTERM.
func beHandlerWorker(addr string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	err := func() error {
		client, err := rediswheel.Connect(ctx, addr, "")
		if err != nil {
			return err
		}
		defer client.Close()
		w, err := rediswheel.Open(ctx, client, rediswheel.Options{})
		if err != nil {
			return err
		}
		wk, err := worker.New(w, worker.Options{Handlers: map[string]worker.Handler{handlerName: callBody}})
		if err != nil {
			return err
		}
		fmt.Println(readyMessage)
		return wk.Run(ctx)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// callBody makes the callback of a worker, to the URL in the body.
func callBody(ctx context.Context, c worker.Call) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, string(c.Task.Body), nil)
	if err != nil {
		return err
	}
	r.Header.Set(worker.HeaderKey, url.PathEscape(c.Key))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
