package web

import (
	"github.com/wheelscope/wheelscope/web/internal/webtest"

	"os"
	"regexp"
	"strings"
	"testing"
)

// docs/API.md and docs/MESSAGES.md name exactly the routes that the server has.
func TestTextsNameEveryAddress(t *testing.T) {
	data, err := os.ReadFile("../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`(?:POST )?(/[a-z/]*(?:ID|…)?)[?`]").FindAllStringSubmatch(string(data)+messagesText(t), -1) {
		named[strings.NewReplacer("ID", ":id", "…", "*").Replace(m[1])] = true
	}
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		routed := map[string]bool{}
		for _, r := range h.server.routes().Routes() {
			routed[r.Path] = true
			if path := r.Path; !named[path] && !named[strings.TrimSuffix(path, "/")] { // which leads to the one without the slash
				t.Errorf("%s is in no text", path)
			}
		}
		for path := range named {
			if !routed[path] {
				t.Errorf("%s is no address", path)
			}
		}
	})
}
