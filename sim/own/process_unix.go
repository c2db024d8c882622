//go:build unix

package own

import (
	"os/exec"
	"syscall"
)

// ownGroup lets c start in a process group of its own, so that kill also ends its children.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the process of c and its children.
func kill(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
