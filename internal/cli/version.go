package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of the sources, the newest of CHANGELOG.md.
const release = "0.1.0"

func newVersion(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the Go that built it",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			return s.result(fields{"version": release, "commit": commit(info), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}, "%s", versionText())
		},
	}
	s.jsonFlag(c, "them")
	return c
}

// versionText is what version and --version print.
func versionText() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("wheelscope %s\ncommit     %s\ngo         %s %s/%s\n",
		release, commit(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commit is the revision that was built, "unknown" where the build left it out.
func commit(info *debug.BuildInfo) string {
	revision, dirty := "unknown", ""
	if info == nil {
		return revision
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = " with changes"
		}
	}
	return revision + dirty
}
