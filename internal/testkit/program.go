package testkit

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	buildWait  = 5 * time.Minute
	module     = "github.com/wheelscope/wheelscope"
	binaryPath = "WHEELSCOPE_BINARY" // environment variable with the path of the program to test
)

// BuildProgram builds the program in the directory dir and returns its path. Like a release, the program is
// built without cgo and does not contain the paths of its sources. If the environment variable
// WHEELSCOPE_BINARY is set, BuildProgram builds nothing and returns its value as an absolute path, so that an
// older program can be tested.
func BuildProgram(dir string) (string, error) {
	if path := os.Getenv(binaryPath); path != "" {
		return filepath.Abs(path)
	}
	ctx, cancel := context.WithTimeout(context.Background(), buildWait)
	defer cancel()
	out := filepath.Join(dir, "wheelscope")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", out, module)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, text)
	}
	return out, nil
}
