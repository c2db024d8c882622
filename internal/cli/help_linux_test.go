package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// Help, versions and completions that cannot be written are an error.
func TestHelpOnAFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, args := range []string{"--help", "run --help", "help run", "help", "--version", "version", "completion bash", "scenarios", "__complete run th"} {
		var errs bytes.Buffer
		if code := Main(strings.Fields(args), strings.NewReader(""), full, &errs); code != 2 || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("%s: exit %d, %s", args, code, &errs)
		}
	}
}
