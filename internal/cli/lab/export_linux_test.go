package lab_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// The bytes of a picture are not written to a terminal.
func TestPNGOnATerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for _, args := range []string{"export - --as png", "export - --as png -o -"} {
		var errs bytes.Buffer
		code := cli.Main(strings.Fields(args), strings.NewReader(clitest.Tiny), terminal, &errs)
		if want := "a png cannot be written to a terminal; use -o FILE\n"; code != 2 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %s", args, code, &errs)
		}
	}
}
