package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/internal/testkit"
)

// deployWait bounds the start and the end of a deployed process.
const deployWait = 30 * time.Second

// found returns the only match of a pattern's group in a file of deploy.
func found(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("deploy", file))
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^\s*`+pattern+`$`).FindAllStringSubmatch(string(text), -1)
	if len(all) != 1 {
		t.Fatalf("%s has %d lines like %s, one was expected", file, len(all), pattern)
	}
	return all[0][1]
}

// The worker's commands in deploy run unchanged, except that ports are free ones, on a Redis with
// the settings of the compose file. The worker becomes ready without a warning, and ends before its
// supervisor would kill it.
func TestDeployedWorkers(t *testing.T) {
	server := redistest.StartKept(t, strings.Fields(found(t, "compose.yaml", `redis-server (--appendonly yes --appendfsync always .*)`))...)
	dir := t.TempDir()
	program, err := testkit.BuildProgram(dir)
	if err != nil {
		t.Fatal(err)
	}
	composed := deployedArgs(t, "compose.yaml", `command: (\["worker".*\])`, "", "")
	for _, c := range []struct{ name, stop, args string }{
		{"compose", found(t, "compose.yaml", `stop_grace_period: (\S+)`), strings.Join(composed, " ")},
		{"systemd", found(t, "wheelscope-worker.service", `TimeoutStopSec=(\S+)`), found(t, "wheelscope-worker.service", `ExecStart=/usr/local/bin/wheelscope (worker .*)`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := strings.Fields(regexp.MustCompile(`\d+\.0\.0\.\d:9464`).ReplaceAllString(c.args, "127.0.0.1:0"))
			var warnings strings.Builder
			cmd := exec.CommandContext(t.Context(), program, args...)
			cmd.Env, cmd.Stderr, cmd.WaitDelay = append(os.Environ(), "WHEELSCOPE_REDIS="+server.Addr), &warnings, deployWait
			out, err := cmd.StdoutPipe()
			if err != nil || cmd.Start() != nil {
				t.Fatalf("%q: %v", args, err)
			}
			lines := bufio.NewReader(out)
			first, _ := lines.ReadString('\n')
			second, _ := lines.ReadString('\n')
			url, ok := strings.CutPrefix(strings.TrimSuffix(second, "/metrics\n"), "metrics on ")
			if !strings.HasPrefix(first, "working on wheel") || !ok {
				t.Fatalf("%q: %q, %q, %s", args, first, second, &warnings)
			}
			checkHealth(t, func() *exec.Cmd {
				return exec.CommandContext(t.Context(), program, deployedArgs(t, "compose.yaml", `test: (\["CMD", "/wheelscope", .*\])`, "http://127.0.0.1:9464", url)[2:]...)
			})
			_ = cmd.Process.Signal(syscall.SIGTERM)
			_, _ = io.ReadAll(lines)
			if err := cmd.Wait(); err != nil || warnings.Len() > 0 {
				t.Errorf("%v: %s", err, &warnings)
			}
			checkGrace(t, c.args, c.stop)
		})
	}
}

// deployedArgs returns the only list in brackets that matches a pattern in a file of deploy, with a fixed
// address replaced by that of the test.
func deployedArgs(t *testing.T, file, pattern, address, by string) (args []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(found(t, file, pattern)), &args); err != nil {
		t.Fatal(err)
	}
	for i, a := range args {
		args[i] = strings.Replace(a, address, by, 1)
	}
	return args
}

// checkHealth repeats a health check until it succeeds or the time is over.
func checkHealth(t *testing.T, check func() *exec.Cmd) {
	t.Helper()
	for limit := time.Now().Add(deployWait); ; time.Sleep(50 * time.Millisecond) {
		out, err := check().CombinedOutput()
		if err == nil {
			return
		}
		if time.Now().After(limit) {
			t.Errorf("not healthy: %v, %s", err, out)
			return
		}
	}
}

// checkGrace compares a supervisor's time limit with the time that a worker needs to end.
func checkGrace(t *testing.T, args, stop string) {
	t.Helper()
	_, rest, _ := strings.Cut(args, "--grace ")
	grace, err := time.ParseDuration(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	if wait, err := time.ParseDuration(stop); err != nil || wait < grace+2*time.Second {
		t.Errorf("killed after %s (%v), with --grace %v", stop, err, grace)
	}
}

// The image is built with the version of Go that the module needs.
func TestDeployedGo(t *testing.T) {
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))[1]
	if got := found(t, "Dockerfile", `FROM golang:(\S+) AS build`); got != version {
		t.Errorf("the image is built with Go %s, the module needs %s", got, version)
	}
}

// lacks skips a test because this machine lacks something. If CI=true the test fails instead.
func lacks(t *testing.T, what any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// The units have no unknown settings, and their exposure according to systemd-analyze is at most
// 1.5 of 10.
func TestDeployedUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		lacks(t, err)
	}
	dir := t.TempDir()
	program, err := testkit.BuildProgram(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"wheelscope.service", "wheelscope-worker.service"} {
		text, err := os.ReadFile(filepath.Join("deploy", name))
		unit := filepath.Join(dir, name)
		if err != nil || os.WriteFile(unit, bytes.ReplaceAll(text, []byte("/usr/local/bin/wheelscope"), []byte(program)), 0o644) != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"verify", unit}, {"security", "--offline=true", "--threshold=15", unit}} {
			out, err := exec.CommandContext(t.Context(), "systemd-analyze", args...).CombinedOutput()
			if err != nil || args[0] == "verify" && len(out) > 0 {
				t.Errorf("%q: %v\n%s", args, err, out)
			}
		}
	}
}
