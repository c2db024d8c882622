package lab

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/site"
)

func newSite(s *console.Streams) *cobra.Command {
	var out, base, engine string
	c := &cobra.Command{
		Use:   "site -o FOLDER",
		Short: "Write the laboratory as a static site",
		Long: `Site writes the laboratory as files to a folder: every page in English and Chinese, and the
engine, which computes in the browser what "wheelscope serve" computes on a server. Any server of
files can serve the folder under the path --base-path. After the first visit it works offline.`,
		Example: `  wheelscope site -o public --base-path /wheelscope`,
		Args:    console.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if out == "" {
				return errors.New("-o FOLDER is missing")
			}
			prefix := strings.TrimSuffix(base, "/")
			if prefix != "" && (prefix[0] != '/' || path.Clean(prefix) != prefix || strings.ContainsAny(prefix, "?#%:* \"<>\\")) {
				return fmt.Errorf("--base-path: %q is not a path such as /wheelscope", base)
			}
			read := site.Embedded
			if engine != "" {
				read = func() (site.Engine, error) { return site.ReadEngine(os.DirFS(engine)) }
			}
			e, err := read()
			if err != nil {
				return err
			}
			n, err := site.Write(c.Context(), out, site.Options{Base: prefix, Engine: e})
			if err != nil {
				return err
			}
			return s.Result(console.Fields{"folder": out, "files": n}, "wrote %d files to %s\n", n, out)
		},
	}
	s.JSONFlag(c, "the folder and its number of files")
	c.Flags().StringVarP(&out, "out", "o", "", "`FOLDER` to write to")
	c.Flags().StringVar(&base, "base-path", "/", "`PATH` below which the folder is served")
	c.Flags().StringVar(&engine, "engine", "", "`FOLDER` with the engine, instead of the one that the program contains")
	return c
}
