//go:build !js

package budget

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
)

// In a child process TestMain prints the available memory and exits.
func TestMain(m *testing.M) {
	if os.Getenv("PRINT_AVAILABLE") != "" {
		os.Stdout.WriteString(strconv.FormatInt(Available(), 10))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAvailableIsTheAddressSpaceWhereThatIsSmallest(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Logf("not checked on %s: limits are set by a shell's ulimit", runtime.GOOS)
		return
	}
	cmd := exec.Command("sh", "-c", `ulimit -v 3145728; exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), "PRINT_AVAILABLE=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(out), "3221225472"; got != want {
		t.Errorf("%s bytes are available under a limit of 3 GiB of address space, want %s", got, want)
	}
	if all := Available(); all <= 0 {
		t.Errorf("%d bytes are available without a limit", all)
	}
}
