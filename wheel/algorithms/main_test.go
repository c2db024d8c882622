package algorithms

import (
	"flag"
	"os"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

// checksShort is the number of cases of each property in the short form of tests, unless the flag -rapid.checks is given.
const checksShort = "30"

func TestMain(m *testing.M) {
	flag.Parse()
	given := testkit.Full()
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", checksShort); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
