package serve

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
)

// Limits of the request that the health command sends.
const (
	healthWait  = 4 * time.Second
	healthBytes = 200 // maximum number of bytes read from the response, which is printed
)

// NewHealth returns the command that asks a server whether it is healthy.
func NewHealth(s *console.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "health URL",
		Short: "Check whether a server or a worker is healthy",
		Long: fmt.Sprintf(`Health requests a URL and exits with 0 if the response has status 200. If it has another status,
or there is no response within %v, it exits with 1 and prints the reason. It is for containers
whose images have no other program for this purpose.

"wheelscope serve" answers at /healthz, below its --base-path. "wheelscope worker --metrics"
answers at /healthz while it runs, and at /readyz while it can reach Redis.`, healthWait),
		Example: `  wheelscope health http://127.0.0.1:8080/healthz
  wheelscope health http://127.0.0.1:9464/readyz`,
		Args: console.ExactlyOne("URL"),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := http.NewRequestWithContext(c.Context(), http.MethodGet, args[0], http.NoBody)
			if err != nil || r.URL.Host == "" {
				return fmt.Errorf("%q is not a URL such as http://127.0.0.1:8080/healthz", args[0])
			}
			a, err := (&http.Client{Timeout: healthWait}).Do(r)
			if err != nil {
				console.PrintError(s.Err, err)
				return console.ErrDiffers
			}
			defer a.Body.Close()
			text, _ := io.ReadAll(io.LimitReader(a.Body, healthBytes))
			reason := strings.TrimSpace(string(text))
			if a.StatusCode != http.StatusOK {
				console.PrintError(s.Err, fmt.Errorf("%s answered %d: %s", args[0], a.StatusCode, reason))
				return console.ErrDiffers
			}
			return s.Result(console.Fields{"healthy": true}, "%s\n", reason)
		},
	}
	s.JSONFlag(c, "the result")
	return c
}
