package serve_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// failingWriter is a closed standard output.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("closed by its reader") }

// A server whose address can't be printed ends, since its user would not know the address.
func TestServeEndsWithoutItsOutput(t *testing.T) {
	ended := make(chan int, 1)
	var errs bytes.Buffer
	go func() {
		ended <- cli.Main([]string{"serve", "--addr", "127.0.0.1:0"}, &bytes.Buffer{}, failingWriter{}, &errs)
	}()
	select {
	case code := <-ended:
		if code != 2 || errs.String() != "wheelscope: standard output: the address can't be written: closed by its reader\n" {
			t.Errorf("exit %d, %q", code, &errs)
		}
	case <-time.After(clitest.Wait):
		t.Fatal("it serves")
	}
}

// A token from a file, the environment or a flag protects the server.
func TestServeWithAToken(t *testing.T) {
	const token = "0123456789abcdef"
	file := clitest.WriteFile(t, "token", token+"\r\nmore\n")
	for _, c := range []struct{ flags, env string }{{"--token-file " + file, ""}, {"--token " + token, "another-token-not-used"}, {"", token}} {
		if c.env != "" {
			t.Setenv("WHEELSCOPE_TOKEN", c.env)
		}
		s := clitest.StartServer(t, "", strings.Fields("serve --addr 127.0.0.1:0 "+c.flags)...)
		for authorization, want := range map[string]int{"": 401, "Bearer " + token: 200, "Bearer " + token + "x": 401} {
			r, err := http.NewRequest("GET", s.URL+"/api/scenarios", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", authorization)
			a, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			a.Body.Close()
			if a.StatusCode != want {
				t.Errorf("%+v, %q: %d, want %d", c, authorization, a.StatusCode, want)
			}
		}
		s.Stop(t, syscall.SIGTERM)
	}
	t.Setenv("WHEELSCOPE_TOKEN", "")
	if r := clitest.Run(t, "", "serve", "--addr", "127.0.0.1:0"); r.Code != 2 || !strings.Contains(r.Err, "WHEELSCOPE_TOKEN is empty") {
		t.Errorf("%+v", r)
	}
}
