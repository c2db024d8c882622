package e2e

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// TestTasksOfWorkers opens the list of tasks of a server with a Redis, and retries a dead task, runs another and removes a
// third. A first click on an action changes nothing: it only shows the button that takes it.
func TestTasksOfWorkers(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	redis := redistest.Start(t)
	w := redistest.Must(rediswheel.Open(t.Context(), redis.Client(), rediswheel.Options{Shards: 2}))(t)
	b := w.NewBulk(t.Context(), rediswheel.BulkOptions{})
	died := time.Now().Add(-time.Minute)
	for _, key := range []string{"order-retry", "order-run", "order-remove", "order-stay"} {
		if err := b.Restore(rediswheel.Info{Key: key, State: rediswheel.Dead, Task: rediswheel.Call("remind", nil), Due: died, At: died,
			Attempts: 3, Reason: "answered 503 Service Unavailable"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := b.Close(); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--redis", redis.Addr)
	p := newTab(t)
	visit := func(url string) {
		t.Helper()
		p.do(chromedp.Navigate(url))
		p.wait(`document.readyState === "complete" && document.querySelector("main#worker")`)
		p.run(string(script))
		p.axe(url)
	}
	visit(s.url + "/worker?lang=en")
	p.run(`document.querySelector('a[href*="/worker/tasks"]').click()`)
	p.wait(`document.querySelectorAll(".worker-list tbody tr").length === 4`)
	visit(s.url + "/worker/tasks?lang=zh&state=dead")
	visit(s.url + "/worker/tasks?lang=en&state=dead&prefix=order-r")
	if text := eval[string](p, `document.querySelector("main").textContent`); !strings.Contains(text, "order-remove") || !strings.Contains(text, "answered 503") {
		t.Errorf("the list says %q", text)
	}
	state := func(key string) rediswheel.State {
		t.Helper()
		i, _, err := w.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return i.State
	}
	for i, do := range []string{"retry", "run", "remove"} {
		key := "order-" + do
		form := `[...document.querySelectorAll(".worker-list tbody tr")].find((r) => r.querySelector("th").textContent === "` + key + `").querySelector('[name=do][value=` + do + `]').form`
		button := form + `.querySelector("button")`
		if eval[bool](p, button+`.checkVisibility()`) {
			t.Errorf("%s: its button shows before the action is chosen", key)
		}
		p.run(form + `.parentElement.querySelector("summary").click()`)
		p.wait(button + `.checkVisibility()`)
		if got := state(key); got != rediswheel.Dead {
			t.Errorf("%s is %q after one click", key, got)
		}
		if i == 0 {
			p.run(string(script))
			p.axe("with a question")
		}
		p.button(eval[string](p, button+`.textContent`))
		p.wait(`document.readyState === "complete" && document.querySelector("main#worker") && ![...document.querySelectorAll(".worker-list th")].some((th) => th.textContent === "` + key + `")`)
		if got := eval[string](p, `location.search`); !strings.Contains(got, "state=dead") || !strings.Contains(got, "prefix=order-r") {
			t.Errorf("after %s the page shows %s", do, got)
		}
	}
	for key, want := range map[string]rediswheel.State{"order-retry": rediswheel.Retrying, "order-run": rediswheel.Waiting, "order-remove": "", "order-stay": rediswheel.Dead} {
		if got := state(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}
