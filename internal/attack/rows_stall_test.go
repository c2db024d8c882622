//go:build linux

package attack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/program"
)

// stalledLanes are lanes that examine every slot or revolution to catch up.
var stalledLanes = []string{`"algorithm":"rounds","slots":8`, `"algorithm":"hashed-sorted","slots":8`, `"algorithm":"tokio"`, `"algorithm":"netty","slots":8`, `"algorithm":"linux-classic"`}

// stallOf returns a workload with a timer in the far future and a stall.
func stallOf(ticks int64) string {
	return fmt.Sprintf(`{"ops":[{"at":0,"op":"schedule","timer":"far","delay":3500000000000000000},{"at":1,"op":"stall","for":%d}]}`, ticks)
}

// longStall is a scenario whose lane catches up with 3·10^18 ticks in one advance.
func longStall(name, lane string) string {
	return scenarioOf(name, 4_000_000_000_000_000_000, lanesOf(1, lane), stallOf(3_000_000_000_000_000_000))
}

// endlessStalls loads scenarios with such a stall and requests data of their runs, while other
// users open scenarios and compare lanes. Then it runs the commands of the program on the files.
func endlessStalls(c *trial) {
	began := time.Now()
	lanes := stalledLanes
	if !*full {
		lanes = lanes[:2]
	}
	dir := c.t.TempDir()
	for i, lane := range lanes {
		scenario := longStall(fmt.Sprint("stall", i), lane)
		k, err := c.load(scenario)
		if err == nil {
			go c.download(c.ctx, "/api/compare?run="+k.run, 0)
		}
		c.others()
		file := filepath.Join(dir, fmt.Sprintf("stall%d.json", i))
		c.write(file, scenario)
		c.command("run", file, "-o", filepath.Join(dir, "out.jsonl"))
		c.command("compare", file)
	}
	c.linger(began)
}

// stallInTrace sends a trace of a few lines whose scenario has such a stall, and runs the commands
// that read traces on it.
func stallInTrace(c *trial) {
	dir := c.t.TempDir()
	for i, lane := range stalledLanes[:2] {
		trace, err := shortTrace("trace", lane)
		if err != nil {
			c.t.Fatal(err)
		}
		for range 4 {
			go c.importTrace(trace)
		}
		c.importTrace(trace)
		file := filepath.Join(dir, fmt.Sprintf("trace%d.jsonl", i))
		c.write(file, string(trace))
		c.command("verify", file)
		c.command("import", file, "-o", filepath.Join(dir, "out.json"))
		c.command("export", file, "--as", "csv", "-o", filepath.Join(dir, "out.csv"))
		c.command("compare", file)
	}
}

// shortTrace is a trace that begins like that of the scenario and ends before the stall. It is
// composed of scenarios without the stall, since this program may refuse to plan one with it.
func shortTrace(name, lane string) ([]byte, error) {
	const far = `{"at":0,"op":"schedule","timer":"far","delay":3500000000000000000}`
	const stall = `,{"at":1,"op":"stall","for":3000000000000000000}`
	calm, err := program.Load([]byte(scenarioOf(name, 4_000_000_000_000_000_000, lanesOf(1, lane), `{"ops":[`+far+`]}`)))
	if err != nil {
		return nil, err
	}
	before, after, ok := strings.Cut(string(calm.Scenario.AppendJSON(nil)), far)
	if !ok {
		return nil, fmt.Errorf("the operation is written in another way in %s", calm.Scenario.AppendJSON(nil))
	}
	trace := `{"wheelscope":1,"kind":"trace","scenario":` + before + far + stall + after + "}\n"
	trace += `{"seq":1,"tick":0,"lane":"l0","kind":"schedule","id":1,"timer":"far","due":3500000000000000000}` + "\n"
	return []byte(trace), nil
}

const (
	commandRuns  = 1500 * time.Millisecond // time after which a command is interrupted
	interruptMax = time.Second             // time from SIGINT to the end of a command
)

func (c *trial) write(file, text string) {
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

// command runs another command of the program on an attacker's file, under the same memory limit.
// It must refuse the file, or end quickly when interrupted.
func (c *trial) command(args ...string) {
	cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, addressSpaceKB), programFile}, args...)...)
	errs := &firstBytes{}
	cmd.Stderr = errs
	if err := cmd.Start(); err != nil {
		c.t.Error(err)
		return
	}
	p := &server{pid: cmd.Process.Pid, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		cmd.Wait()
	}()
	go p.sample()
	name := args[0]
	defer func() {
		if peak := p.peak.Load(); peak > standard.peakBytes {
			c.t.Errorf("%s: resident memory reached %d MB", name, peak>>20)
		}
	}()
	select {
	case <-p.done:
		if code := cmd.ProcessState.ExitCode(); code != 1 && code != 2 || strings.Contains(errs.String(), "goroutine ") {
			c.t.Errorf("%s ended with %s: %.200s", name, cmd.ProcessState, errs)
		}
		c.figure("%s refuses", name)
		return
	case <-time.After(commandRuns):
	}
	cmd.Process.Signal(syscall.SIGINT)
	began := time.Now()
	select {
	case <-p.done:
		c.figure("%s ends %.1f s after SIGINT", name, time.Since(began).Seconds())
	case <-time.After(interruptMax):
		c.t.Errorf("%s still runs %s after SIGINT", name, interruptMax)
		cmd.Process.Kill()
		<-p.done
	}
}

// TestTerminate sends SIGTERM to a server that computes endless runs and whose clients do not read.
func TestTerminate(t *testing.T) {
	s := serve(t)
	ctx, cancel := context.WithTimeout(t.Context(), caseMax)
	defer cancel()
	c := newTrial(ctx, t, s, spanShort)
	defer c.disconnect()
	for i, lane := range stalledLanes {
		k, err := c.load(longStall(fmt.Sprint("stall", i), lane))
		if refusal := (*ackError)(nil); err != nil && !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		if err == nil {
			go c.download(ctx, "/api/compare?run="+k.run, 0)
		}
	}
	slowReaders(c)
	took, err := s.terminate()
	if err != nil {
		t.Error(err)
	}
	t.Logf("ended %s after SIGTERM", rounded(took))
}
