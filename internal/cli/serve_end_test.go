package cli

import (
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
)

// A server ends even if a request does not: its limits leave room below 5 s.
func TestServeEndsBesideEndlessRequest(t *testing.T) {
	s := startServer(t, "", "serve", "--addr", "127.0.0.1:0")
	address := strings.TrimPrefix(s.url, "http://")
	request, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer request.Close()
	io.WriteString(request, "POST /api/import HTTP/1.1\r\nHost: "+address+"\r\nContent-Length: 1000\r\n\r\nbegun")
	s.page(t, "/") // the previous request has arrived
	if code := s.stop(t, syscall.SIGTERM); code != 130 && code != 0 {
		t.Errorf("exit %d, stderr %q", code, s.errs)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("something listens after the end")
	}
}
