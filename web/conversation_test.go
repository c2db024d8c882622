package web

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// The golden conversation: lines with "> " are sent by the page, lines with "< " by the server.
// With -update the test rewrites the lines of the server, for review.
func TestConversation(t *testing.T) {
	const file = "testdata/conversation.txt"
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		h.get("/") // the run is computed before the socket opens
		synctest.Wait()
		conn, _ := h.dial("/ws", nil)
		inbox := collect(conn)
		var out bytes.Buffer
		note := func() {
			for _, line := range inbox() {
				out.WriteString("< " + sessionID(line) + "\n")
			}
		}
		note()
		for line := range strings.Lines(string(script)) {
			if !strings.HasPrefix(line, "> ") {
				if strings.HasPrefix(line, "# ") {
					out.WriteString(line)
				}
				continue
			}
			out.WriteString(line)
			conn.WriteMessage(websocket.TextMessage, []byte(strings.TrimSpace(line[2:])))
			note()
		}
		conn.Close()
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		compareLines(t, string(script), out.String())
	})
}

// collect reads a socket in the background. The returned function waits until nothing more happens
// and returns the messages read since its last call.
func collect(conn *websocket.Conn) func() []string {
	lines := make(chan string, 4096)
	go func() {
		for {
			_, data, err := conn.ReadMessage()
			if err != nil {
				return
			}
			lines <- string(data)
		}
	}()
	return func() (got []string) {
		time.Sleep(20 * time.Second)
		synctest.Wait()
		for len(lines) > 0 {
			got = append(got, <-lines)
		}
		return got
	}
}

var different = regexp.MustCompile(`"(session|secret)":"[0-9a-f]+"`)

// sessionID replaces the values that differ in every run by words.
func sessionID(line string) string {
	return different.ReplaceAllStringFunc(line, func(field string) string {
		name := strings.Split(field, `"`)[1]
		return `"` + name + `":"` + strings.ToUpper(name) + `"`
	})
}

func compareLines(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			t.Fatalf("line %d\n got %s\nwant %s", i+1, b, a)
		}
	}
}
