package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/timerhttp"
)

// inTurnVisible scrolls to each table in turn, for half a second each. A table that is not visible is not
// updated while a wheel is at work, and the window of a phone has room for one.
const inTurnVisible = `[...document.querySelectorAll("[data-lane] .places")].filter((_, k, all) => k === Math.floor(performance.now() / 500) % all.length).forEach((table) => table.scrollIntoView()),`

// TestLivePage opens the page of a wheel in a running program: it shows the state of the wheel
// without errors, the picture can be paused, and the recording opens in the lab.
func TestLivePage(t *testing.T) {
	t.Parallel()
	w, err := timer.New(timer.WithTick(5*time.Millisecond), timer.WithShards(2))
	if err != nil {
		t.Fatal(err)
	}
	keys := timer.NewKeyed[string](w)
	for k := range 40 {
		keys.AfterFunc(fmt.Sprint("conn-", k), time.Hour+time.Duration(k)*time.Minute, func(string) {})
	}
	w.TickFunc(20*time.Millisecond, func() {})
	mux := http.NewServeMux()
	mux.Handle("/debug/timers/", timerhttp.Handler(w))
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		w.Shutdown(t.Context())
		runtime.KeepAlive(keys) // a Keyed that was collected has no names
	})
	for _, v := range []view{{1440, 900, "light", "en"}, {360, 740, "dark", "zh"}} {
		p := newMovingTab(t)
		p.look(v)
		p.do(chromedp.Navigate(server.URL + "/debug/timers/?lang=" + v.lang))
		p.wait(`document.querySelector("[data-pulse=pending]").textContent === "41" && Number(document.querySelector("[data-pulse=fired]").textContent) > 20`)
		p.wait(inTurnVisible + `[...document.querySelectorAll("[data-count]")].reduce((sum, row) => sum + Number(row.dataset.count), 0) === 41`)
		p.wait(`document.querySelector("#lanes").textContent.includes("conn-7")`)
		p.wait(`document.querySelectorAll("section[data-lane] .picture .dots > *").length > 0`)
		p.press(" ")
		held := eval[string](p, `document.querySelector("main").dataset.seq`)
		time.Sleep(400 * time.Millisecond)
		if now := eval[string](p, `document.querySelector("main").dataset.seq`); now != held {
			t.Errorf("%v: held at %s it goes on to %s", v, held, now)
		}
		p.axeThemes(fmt.Sprint("a wheel at work, ", v))
		if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%v: the page is %d pixels wider than the window", v, wide)
		}
		p.press(" ")
		p.wait(`document.querySelector("main").dataset.seq > ` + held)
		saved, err := http.Get(server.URL + "/debug/timers/scenario")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(saved.Body)
		saved.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.Load(text); err != nil {
			t.Errorf("what was saved does not open: %v\n%.300s", err, text)
		}
	}
}
