package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/web/view"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// someTasks returns the figures of a wheel at 16:04:05 UTC.
func someTasks() rediswheel.Stats {
	st := rediswheel.Stats{Now: time.Date(2026, 11, 21, 16, 4, 5, 0, time.UTC).UnixMilli(), Waiting: 40, InFlight: 3, Retrying: 2,
		Dead: 1, Overdue: 10, Dropped: 7, Done: 1000, Retried: 17, Lapsed: 5, Removed: 9, MinutesAll: 70}
	minute := st.Now / 60_000
	st.Minutes = []rediswheel.Minute{{Minute: minute - 1, Tasks: 10}, {Minute: minute, Tasks: 20}}
	for i := range int64(68) {
		st.Minutes = append(st.Minutes, rediswheel.Minute{Minute: minute + 1 + i, Tasks: 1})
	}
	for range 980 {
		st.Late.Note(3)
	}
	for range 20 {
		st.Late.Note(900)
	}
	return st
}

func textsOf(s *goquery.Selection) []string {
	return s.Map(func(_ int, s *goquery.Selection) string { return s.Text() })
}

// The page has every figure, the minutes with overdue tasks, and the number of minutes that are not
// listed.
func TestWorkerPage(t *testing.T) {
	ask := func(context.Context, string) (TaskFigures, error) { return TaskFigures{Stats: someTasks()}, nil }
	inBubble(t, Config{BasePath: "/lab", Tasks: ask}, func(t *testing.T, h *harness) {
		d := pageOf(t, h, "/lab/worker?lang=en")
		if got, want := textsOf(d.Find("dd")), []string{"40", "10", "3", "2", "1", "–", "–", "1000", "17", "5", "9", "7", "4ms", "1.03s"}; !slices.Equal(got, want) {
			t.Errorf("figures %q, want %q", got, want)
		}
		if got := d.Find(".worker-minutes tbody tr").Length(); got != view.MinutesShownMax {
			t.Errorf("%d minutes", got)
		}
		if past := d.Find(".worker-past"); past.Length() != 1 || past.ParentsFiltered("tr").Index() != 0 {
			t.Errorf("%d minutes are shown as overdue, want the first", past.Length())
		}
		hints := textsOf(d.Find(".hint"))
		for i, want := range []string{"By the clock of Redis: 2026-11-21 16:04:05", "Overdue tasks", "Dead tasks", "There were more dead tasks", "and 10 more minutes"} {
			if len(hints) != 5 || !strings.HasPrefix(hints[i], want) {
				t.Errorf("hints %q, want %q", hints, want)
			}
		}
		if got := d.Find(".worker-name").Text(); got != "Wheel: wheel" {
			t.Errorf("the wheel's name is shown as %q", got)
		}
		if got, _ := d.Find("rect").Eq(0).Attr("width"); got != "50" {
			t.Errorf("the first bar is %q wide, of half as many as the fullest", got)
		}
	})
}

// If Redis is unreachable the page says so in one line in place of the figures. If no Redis is
// configured it explains how to set one up.
func TestWorkerPageWithoutRedis(t *testing.T) {
	ask := func(context.Context, string) (TaskFigures, error) {
		return TaskFigures{}, errors.New("redis is <away>")
	}
	inBubble(t, Config{Tasks: ask}, func(t *testing.T, h *harness) {
		if link := pageOf(t, h, "/?view=lab").Find(`a[href="/worker?lang=en"]`); link.Length() != 1 {
			t.Error("the lab does not lead to the tasks")
		}
		d := pageOf(t, h, "/worker?lang=zh")
		if alert := d.Find("[role=alert]"); alert.Text() != "redis is <away>" || d.Find("dd").Length() != 0 {
			t.Errorf("%q is shown, beside %d figures", alert.Text(), d.Find("dd").Length())
		}
	})
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		if d := pageOf(t, h, "/worker"); d.Find("[role=alert]").Length() != 0 || d.Find(".worker-how").Length() != 1 {
			t.Error("the page of a server without a Redis does not say how to get one")
		}
		if d := pageOf(t, h, "/"); d.Find(`a[href^="/worker"]`).Length() != 0 {
			t.Error("the lab leads to a page without tasks")
		}
	})
}

// Redis is read once a second, for any number of viewers.
func TestWorkerPageAsksOnceASecond(t *testing.T) {
	var asked atomic.Int64
	ask := func(context.Context, string) (TaskFigures, error) {
		asked.Add(1)
		return TaskFigures{Stats: someTasks()}, nil
	}
	inBubble(t, Config{Tasks: ask}, func(t *testing.T, h *harness) {
		for range 5 {
			h.get("/worker")
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("asked %d times for 5 looks at one instant", n)
		}
		time.Sleep(2 * tasksFresh)
		h.get("/worker")
		if n := asked.Load(); n != 2 {
			t.Errorf("asked %d times, want once more after two seconds", n)
		}
	})
}

// The page lists workers, live and dead, and links to the other wheels; figures that need attention
// are marked.
func TestWorkerPageShowsWorkers(t *testing.T) {
	asked := ""
	ask := func(_ context.Context, wheel string) (TaskFigures, error) {
		asked = wheel
		f := TaskFigures{Stats: someTasks()}
		for i := range view.WorkersShownMax + 3 {
			w := rediswheel.WorkerInfo{ID: fmt.Sprint(i), Host: "<host>", PID: i, SinceHeartbeat: time.Duration(i) * 10 * time.Second, Concurrency: 64, Running: 3}
			w.Late.Note(100)
			f.Workers = append(f.Workers, w)
		}
		return f, nil
	}
	inBubble(t, Config{Tasks: ask, Wheels: []string{"a", "b"}}, func(t *testing.T, h *harness) {
		d := pageOf(t, h, "/worker?lang=en&wheel=b")
		if got := textsOf(d.Find(".worker-wheels a")); asked != "b" || !slices.Equal(got, []string{"a", "b"}) || d.Find(".worker-wheels [aria-current]").Text() != "b" {
			t.Errorf("asked for %q, links %q", asked, got)
		}
		if got := d.Find(`.langs [lang="zh-Hans"]`).AttrOr("href", ""); got != "/worker?lang=zh&wheel=b" {
			t.Errorf("the page in Chinese is %q", got)
		}
		if got, want := textsOf(d.Find(".worker-list thead th"))[1:], d.Find(".worker-list tbody tr").Eq(0).Find("td").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("data-label", "") }); !slices.Equal(got, want) {
			t.Errorf("columns %q, labels %q", got, want)
		}
		rows := d.Find(".worker-list tbody tr")
		if rows.Length() != view.WorkersShownMax || rows.Find(".worker-past").Length() != view.WorkersShownMax-2 || !strings.Contains(rows.Eq(0).Text(), "<host> 0") {
			t.Errorf("%d workers, %d silent, first %q", rows.Length(), rows.Find(".worker-past").Length(), rows.Eq(0).Text())
		}
		if got := textsOf(d.Find(".worker-warn dt")); !slices.Equal(got, []string{"overdue", "dead (given up)", "dead tasks deleted"}) {
			t.Errorf("marked: %q", got)
		}
		if got := textsOf(d.Find("dd")); got[5] != "128ms" {
			t.Errorf("recent lateness %q", got)
		}
		if r := h.get("/worker?wheel=c"); r.code != 404 {
			t.Errorf("another wheel: %d", r.code)
		}
	})
}

// The figures are available as JSON, for any wheel of the server.
func TestWorkerAPI(t *testing.T) {
	away := false
	ask := func(context.Context, string) (TaskFigures, error) {
		if away {
			return TaskFigures{}, errors.New("redis is away")
		}
		return TaskFigures{Stats: someTasks(), Workers: []rediswheel.WorkerInfo{{ID: "w", Host: "h", Running: 2}}}, nil
	}
	inBubble(t, Config{Tasks: ask, Wheels: []string{"a", "b"}}, func(t *testing.T, h *harness) {
		var got apiTasks
		r := h.get("/api/worker?wheel=b")
		if err := json.Unmarshal([]byte(r.body), &got); err != nil || r.code != 200 {
			t.Fatalf("%d, %v", r.code, err)
		}
		if got.Wheel != "b" || got.Overdue != 10 || got.Dropped != 7 || got.Delivered != 1000 || got.Late.P99 != 1024 || got.Late.Tasks != 1000 ||
			len(got.Workers) != 1 || !got.Workers[0].Live || got.Workers[0].Running != 2 {
			t.Errorf("%+v", got)
		}
		away = true
		time.Sleep(2 * tasksFresh)
		if r := h.get("/api/worker?wheel=b"); r.code != 502 {
			t.Errorf("without Redis: %d", r.code)
		}
		if r := h.get("/api/worker?wheel=c"); r.code != 404 {
			t.Errorf("another wheel: %d", r.code)
		}
	})
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		if r := h.get("/api/worker"); r.code != 404 {
			t.Errorf("without a named Redis: %d", r.code)
		}
	})
}
