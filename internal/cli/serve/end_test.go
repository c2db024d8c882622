package serve_test

import (
	"io"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// A server ends even if a request does not: its time limits add up to less than 5 s.
func TestServeEndsBesideEndlessRequest(t *testing.T) {
	s := clitest.StartServer(t, "", "serve", "--addr", "127.0.0.1:0")
	address := strings.TrimPrefix(s.URL, "http://")
	request, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer request.Close()
	io.WriteString(request, "POST /api/import HTTP/1.1\r\nHost: "+address+"\r\nContent-Length: 1000\r\n\r\nbegun")
	s.Page(t, "/") // the previous request has arrived
	if code := s.Stop(t, syscall.SIGTERM); code != 130 && code != 0 {
		t.Errorf("exit %d, stderr %q", code, s.Errs)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("something listens after the end")
	}
}
