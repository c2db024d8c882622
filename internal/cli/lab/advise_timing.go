package lab

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"
)

// TimeStructures runs this program's advise with flags and --json in a process of its own, so that only its own memory and
// goroutines are there when it times, and returns its output. The scenario, if not nil, is the workload. If ctx is done, it
// kills the process. If the process fails, the error is the line that it printed.
func TimeStructures(ctx context.Context, flags []string, scenario []byte) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append([]string{"advise", "--json"}, flags...)
	if scenario != nil {
		args = append(args, "-")
	}
	c := exec.CommandContext(ctx, self, args...)
	var failed bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(scenario), &failed
	c.WaitDelay = time.Second
	out, err := c.Output()
	switch line := strings.TrimSpace(failed.String()); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && line != "":
		return nil, errors.New(strings.TrimPrefix(line, "wheelscope: "))
	}
	return out, err
}
