package serve_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// health exits with 0 if a server answers, even one with a token, with 1 and a reason if it does
// not, and with 2 if the URL is missing.
func TestHealth(t *testing.T) {
	s := clitest.StartServer(t, "", "serve", "--addr", "127.0.0.1:0", "--base-path", "/lab", "--token", "0123456789abcdef0123456789abcdef")
	root := strings.TrimSuffix(s.URL, "/lab")
	if r := clitest.Run(t, "", "health", root+"/lab/healthz"); r.Code != 0 || r.Out != "ok\n" || r.Err != "" {
		t.Errorf("%+v", r)
	}
	check := func(code int, url, reason string) {
		t.Helper()
		if r := clitest.Run(t, "", "health", url); r.Code != code || r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.Contains(r.Err, reason) {
			t.Errorf("%s: %+v", url, r)
		}
	}
	check(1, root+"/lab/", "answered 401: ")
	check(2, "127.0.0.1", "is not a URL")
	s.Stop(t, syscall.SIGTERM)
	check(1, root+"/lab/healthz", "refused")
}
