//go:build unix

package wheeltest

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// stopSelf stops this process for d by sending it SIGSTOP. It starts a shell process that sends
// SIGCONT after d.
func stopSelf(d time.Duration) error {
	cmd := exec.Command("sh", "-c", fmt.Sprintf("sleep %.3f; kill -CONT %d", d.Seconds(), os.Getpid()))
	if err := cmd.Start(); err != nil {
		return err
	}
	err := syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	go cmd.Wait() // reaps the shell, which has resumed this process
	return err
}
