package redistest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// MasterName is the name by which a Sentinel started by this package knows its master.
const MasterName = "main"

// StartSentinel starts a Sentinel that monitors master. About a second after master stops responding, the
// Sentinel promotes a replica. It is stopped at the end of the test.
func StartSentinel(t testing.TB, master *Server) *Server {
	t.Helper()
	dir := serverDir(t)
	host, port, _ := net.SplitHostPort(master.Addr)
	s := &Server{t: t, Addr: net.JoinHostPort("127.0.0.1", fmt.Sprint(freePort(t)))}
	_, own, _ := net.SplitHostPort(s.Addr)
	file := filepath.Join(dir, "sentinel.conf")
	config := fmt.Sprintf("port %s\nbind 127.0.0.1\ndir %s\nsentinel monitor %s %s %s 1\nsentinel down-after-milliseconds %[3]s 500\nsentinel failover-timeout %[3]s 5000\n",
		own, dir, MasterName, host, port)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s.args = []string{file, "--sentinel", "--logfile", filepath.Join(dir, "log")}
	if err := s.launch(); err != nil {
		t.Fatalf("Sentinel: %v", err)
	}
	t.Cleanup(s.Kill)
	return s
}
