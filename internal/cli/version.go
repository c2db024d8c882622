package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/site"
)

// release is the version of this source, the newest one in CHANGELOG.md.
const release = "1.0.0"

func newVersion(s *console.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, the version of Go and the engine of the site",
		Long: `Version prints the version and the commit of the program, the version of Go and the
system it was built for. The last line is the engine that "wheelscope site" writes: the SHA-256
of its files, whose first 12 digits are in their addresses on a site, or none. Programs of
"make release" contain the engine; "go build" and "go install" leave it out.`,
		Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			e, _ := site.Embedded()
			return s.Result(console.Fields{"version": version(info), "commit": commit(info), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "engine": e.Digest}, "%s", versionText())
		},
	}
	s.JSONFlag(c, "them")
	return c
}

// versionText returns the output of the version command and of the --version flag.
func versionText() string {
	info, _ := debug.ReadBuildInfo()
	e, err := site.Embedded()
	engine := e.Digest
	if err != nil {
		engine = "none: " + err.Error()
	}
	return fmt.Sprintf("wheelscope %s\ncommit     %s\ngo         %s %s/%s\nengine     %s\n",
		version(info), commit(info), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine)
}

// version returns the version of the main module that is recorded in info, without the leading "v", or
// release if info records no version.
func version(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return release
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// pseudoVersion matches the end of a version that the go command derives from a commit.
var pseudoVersion = regexp.MustCompile(`\d{14}-([0-9a-f]{12})(?:\+|$)`)

// commit returns the revision from which the program was built, as recorded in info or, if the program was
// built from a downloaded module, as part of the module's version. It appends " with changes" if the working
// tree was modified. If the revision is not recorded, commit returns a message that says so.
func commit(info *debug.BuildInfo) string {
	revision, dirty := "not recorded by this build", ""
	if info == nil {
		return revision
	}
	if m := pseudoVersion.FindStringSubmatch(info.Main.Version); m != nil {
		revision = m[1]
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
