//go:build unix

package redistest

import "syscall"

// Suspend stops the process with SIGSTOP. Connections stay open, but the server does not respond.
func (s *Server) Suspend() { s.signal(syscall.SIGSTOP) }

// Resume resumes a process stopped by Suspend.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatalf("redis-server %s: %v: %v", s.Addr, sig, err)
	}
}
