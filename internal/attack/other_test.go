//go:build linux

package attack

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"
)

// The other user is a separate process, the test binary started again, so that the attackers' work
// in the test does not delay it. It plays heartbeats and requests the page. It measures between the
// lines "begin" and "end" of its input, and answers "end" with an otherFigures.

const (
	otherUserEnv = "WHEELSCOPE_ATTACK_OTHER_USER" // address of the server
	frameEvery   = time.Second / 60
	pageEvery    = time.Second / 4
	pageWait     = 30 * time.Second
	otherWait    = 30 * time.Second // maximum wait for the other user's first frames
)

// otherFigures are the measurements of the other user. A gap longer than the time between frames
// also counts once for each frame missed in it, with the rest of the gap from then on. Otherwise a
// gap of ten seconds would be a single value among hundreds. The time of a page is counted from the
// instant for which its request was planned.
type otherFigures struct {
	Frames           int
	GapP99, GapMax   time.Duration
	Pages            int
	PageP95, PageMax time.Duration
	Faults           []string // the first errors that occurred
}

// beOtherUser is the main function of the other user's process.
func beOtherUser(addr string) int {
	u := &otherUser{addr: addr}
	if err := u.open(); err != nil {
		fmt.Fprintln(os.Stderr, "other user:", err)
		return 1
	}
	go u.frames()
	go u.pages()
	fmt.Println(`"ready"`)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch lines.Text() {
		case "begin":
			u.begin()
		case "end":
			data, err := json.Marshal(u.end())
			if err != nil {
				fmt.Fprintln(os.Stderr, "other user:", err)
				return 1
			}
			fmt.Println(string(data))
		}
	}
	return 0
}

// otherUser is the state of this process.
type otherUser struct {
	addr   string
	socket *client

	mu        sync.Mutex
	measuring bool
	last      time.Time // time of the last frame, or the start of the measurement
	asked     time.Time // time at which the request in progress was planned; zero: none is in progress
	gaps      []time.Duration
	pageTimes []time.Duration
	count     int
	faults    []string
}

// open starts playing.
func (u *otherUser) open() error {
	socket, err := openSocket(context.Background(), u.addr, "/ws?scenario=heartbeats")
	if err != nil {
		return err
	}
	u.socket = socket
	if err := socket.greet(); err != nil {
		return err
	}
	return socket.ask(`"do":"play","rate":60`)
}

// frames records when frames arrive. At the end of the scenario it plays again.
func (u *otherUser) frames() {
	for {
		message, err := u.socket.next()
		if err != nil {
			u.fault("the socket of the other user: " + err.Error())
			return
		}
		switch kindOf(message) {
		case "delta", "state":
			u.frame(time.Now())
		case "player":
			var m struct{ Playing, End bool }
			if json.Unmarshal(message, &m) == nil && m.End && !m.Playing {
				u.socket.command(`"do":"play","rate":60`)
			}
		}
	}
}

func (u *otherUser) frame(now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.measuring {
		u.gaps = append(u.gaps, now.Sub(u.last))
		u.count++
	}
	u.last = now
}

// pages requests the page at a fixed rate.
func (u *otherUser) pages() {
	http := &http.Client{Timeout: pageWait}
	due := time.Now()
	for {
		time.Sleep(time.Until(due))
		u.mu.Lock()
		u.asked = due
		u.mu.Unlock()
		err := u.page(http)
		u.mu.Lock()
		if u.measuring {
			u.pageTimes = append(u.pageTimes, time.Since(due))
		}
		u.asked = time.Time{}
		u.mu.Unlock()
		if err != nil {
			u.fault("GET /: " + err.Error())
		}
		due = due.Add(pageEvery)
	}
}

func (u *otherUser) page(c *http.Client) error {
	res, err := c.Get("http://" + u.addr + "/")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s", res.Status)
	}
	return nil
}

func (u *otherUser) fault(text string) {
	const most = 5
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.measuring && len(u.faults) < most {
		u.faults = append(u.faults, text)
	}
}

func (u *otherUser) begin() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.gaps, u.pageTimes, u.count, u.faults = nil, nil, 0, nil
	u.last, u.measuring = time.Now(), true
}

// end also counts the gap and the request that are still in progress.
func (u *otherUser) end() otherFigures {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.measuring = false
	now := time.Now()
	u.gaps = append(u.gaps, now.Sub(u.last))
	if !u.asked.IsZero() {
		u.pageTimes = append(u.pageTimes, now.Sub(u.asked))
	}
	gaps := withMissed(u.gaps, frameEvery)
	slices.Sort(u.pageTimes)
	f := otherFigures{Frames: u.count, Pages: len(u.pageTimes), Faults: u.faults}
	f.GapP99, f.GapMax = quantile(gaps, 99), quantile(gaps, 100)
	f.PageP95, f.PageMax = quantile(u.pageTimes, 95), quantile(u.pageTimes, 100)
	return f
}

// withMissed adds the waiting times of missed frames, and sorts.
func withMissed(gaps []time.Duration, every time.Duration) []time.Duration {
	var all []time.Duration
	for _, gap := range gaps {
		all = append(all, gap)
		for left := gap - every; left > every; left -= every {
			all = append(all, left)
		}
	}
	slices.Sort(all)
	return all
}

// quantile is a percentile of sorted durations.
func quantile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1]
}

// otherProcess is the other user's process, seen from the test.
type otherProcess struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

// startOther starts the other user of a server and waits until it plays.
func startOther(t *testing.T, addr string) *otherProcess {
	t.Helper()
	o := &otherProcess{cmd: exec.Command("/proc/self/exe"), lines: make(chan string, 1)}
	o.cmd.Env = append(os.Environ(), otherUserEnv+"="+addr)
	o.cmd.Stderr = os.Stderr
	var err error
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := priority.start(o.cmd); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(o.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			o.lines <- lines.Text()
		}
	}()
	t.Cleanup(o.stop)
	if line := o.line(); line != `"ready"` {
		t.Fatalf("the other user does not play: %q", line)
	}
	return o
}

// line returns the next line of its output, "" if there is none in time.
func (o *otherProcess) line() string {
	select {
	case line := <-o.lines:
		return line
	case <-time.After(otherWait):
		return ""
	}
}

func (o *otherProcess) begin() { io.WriteString(o.in, "begin\n") }

func (o *otherProcess) end(t *testing.T) (f otherFigures) {
	t.Helper()
	io.WriteString(o.in, "end\n")
	line := o.line()
	if err := json.Unmarshal([]byte(line), &f); err != nil {
		t.Errorf("the other user's figures %q: %v", line, err)
	}
	return f
}

func (o *otherProcess) stop() {
	o.in.Close()
	o.cmd.Process.Kill()
	for range o.lines {
	}
	o.cmd.Wait()
}
