package timerhttp_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

// With ?debug=1 the figures of the wheel are plain text, for every shard.
func TestText(t *testing.T) {
	w, url := served(t, timer.WithShards(2))
	for range 30 {
		w.AfterFunc(time.Hour, nothing)
	}
	for _, at := range []string{url, strings.TrimSuffix(url, "/")} {
		code, text := get(t, at+"?debug=1")
		if code != http.StatusOK {
			t.Fatalf("%s: %d %s", at, code, text)
		}
		rows := map[string]string{}
		for line := range strings.Lines(text) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
				rows[name] = strings.TrimSpace(value)
			}
		}
		if !strings.HasPrefix(text, "wheel: hierarchical, tick 1ms, 2 shards\n") || rows["pending"] != "30" || rows["fired"] != "0" {
			t.Errorf("%s:\n%s", at, text)
		}
		if _, ok := rows["1"]; !ok || strings.Contains(text, "<") {
			t.Errorf("no line of shard 1:\n%s", text)
		}
	}
	if code, text := get(t, url+"?debug=1", "Sec-Fetch-Site", "cross-site"); code != http.StatusForbidden {
		t.Errorf("to another site: %d %s", code, text)
	}
}

// The text has the number of pending timers while the wheel runs, and after it is closed.
func TestTextAfterShutdown(t *testing.T) {
	w, url := served(t, timer.WithShards(1))
	w.AfterFunc(time.Hour, nothing)
	must(t, w.Shutdown(t.Context()))
	if code, text := get(t, url+"?debug=1"); code != http.StatusOK || !strings.Contains(text, "pending     0") {
		t.Errorf("%d\n%s", code, text)
	}
}
