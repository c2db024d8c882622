package task

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// Statuses and secrets come from flags, a file and the environment; errors never show a secret.
func TestReceiverFlags(t *testing.T) {
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "secrets")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const good = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	for _, c := range []struct {
		flags    receiverFlags
		env      string
		statuses []int
		secrets  int
		err      string
	}{
		{receiverFlags{"410", ""}, "", []int{410}, 0, ""},
		{receiverFlags{"none", ""}, good, []int{}, 1, ""},
		{receiverFlags{"404, 410", file(good + "\n" + good + "\n")}, "bad", []int{404, 410}, 2, ""},
		{receiverFlags{"gone", ""}, "", nil, 0, `--permanent-status: "gone", expected statuses such as 404,410, or none`},
		{receiverFlags{"410", ""}, "hunter2", nil, 0, "WHEELSCOPE_SIGN_SECRET: secret 1: expected a secret"},
		{receiverFlags{"410", file(good + "\nhunter2")}, "", nil, 0, "secrets: secret 2: expected a secret"},
		{receiverFlags{"410", file(" ")}, "", nil, 0, "no secret"},
		{receiverFlags{"410", file(strings.Repeat("x", secretFileMax+1))}, "", nil, 0, "longer than 4096 bytes"},
		{receiverFlags{"410", "/nowhere/x"}, "", nil, 0, "--sign-secret-file: open /nowhere/x: no such file"},
	} {
		t.Setenv(secretEnv, c.env)
		var o worker.Options
		err := c.flags.read(&o)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%+v: %v, want %q", c.flags, err, c.err)
			}
			continue
		}
		if err != nil || !slices.Equal(o.PermanentStatus, c.statuses) || len(o.Secrets) != c.secrets {
			t.Errorf("%+v: %v, %d secrets, %v", c.flags, o.PermanentStatus, len(o.Secrets), err)
		}
	}
}
