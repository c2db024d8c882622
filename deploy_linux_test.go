package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

// imageUser is the user and the group of the image.
const imageUser = 65532

// The page starts and is healthy as run by the image, the compose file and the unit: with nothing
// in its root directory except the program, as a user without write permission.
func TestDeployedPages(t *testing.T) {
	if os.Getuid() != 0 {
		lacks(t, "only root can change the root folder of a process")
	}
	if user := found(t, "Dockerfile", `USER (\S+)`); user != "65532:65532" {
		t.Errorf("the image runs as %s", user)
	}
	root := t.TempDir()
	if _, err := testkit.BuildProgram(root); err != nil {
		t.Fatal(err)
	}
	inImage := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), "/wheelscope", args...)
		c.Dir, c.Env, c.WaitDelay = "/", []string{"HOME=/"}, deployWait
		c.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: imageUser, Gid: imageUser}}
		return c
	}
	for name, args := range map[string][]string{
		"image":   deployedArgs(t, "Dockerfile", `CMD (\[.*\])`, ":8080", ":0"),
		"compose": deployedArgs(t, "compose.yaml", `command: (\["serve".*\])`, ":8080", ":0"),
		"systemd": strings.Fields(strings.Replace(found(t, "wheelscope.service", `ExecStart=/usr/local/bin/wheelscope (serve .*)`), ":8080", ":0", 1)),
	} {
		t.Run(name, func(t *testing.T) {
			var warnings strings.Builder
			cmd := inImage(args...)
			cmd.Stderr = &warnings
			out, err := cmd.StdoutPipe()
			if err != nil || cmd.Start() != nil {
				t.Fatalf("%q: %v", args, err)
			}
			lines := bufio.NewReader(out)
			first, _ := lines.ReadString('\n')
			port := regexp.MustCompile(`^listening on http://.*(:\d+)\n$`).FindStringSubmatch(first)
			if port == nil {
				t.Fatalf("%q: %q, %s", args, first, &warnings)
			}
			checkHealth(t, func() *exec.Cmd {
				return inImage(deployedArgs(t, "Dockerfile", `HEALTHCHECK .* CMD (\[.*\])`, ":8080", port[1])[1:]...)
			})
			_ = cmd.Process.Signal(syscall.SIGTERM)
			_, _ = io.ReadAll(lines)
			if err := cmd.Wait(); err != nil || warnings.Len() > 0 {
				t.Errorf("%v: %s", err, &warnings)
			}
		})
	}
}
