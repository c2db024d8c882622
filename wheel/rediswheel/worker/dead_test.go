package worker

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// startReceiver starts a receiver that answers every callback with a status, and returns its URL.
func startReceiver(t testing.TB, status int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(server.Close)
	return server.URL
}

// Dead tasks beyond the limit are deleted, which is logged as an error and counted. Without a limit
// none is deleted.
func TestDeadTasksAreNotDroppedSilently(t *testing.T) {
	url := startReceiver(t, http.StatusInternalServerError)
	for _, c := range []struct {
		name          string
		max           int64
		dead, dropped int64
	}{{"limit", 6, 6, 34}, {"no limit", -1, 40, 0}, {"default", 0, 40, 0}} {
		t.Run(c.name, func(t *testing.T) {
			w, log := wheeltesting.Open(t, redistest.Embedded(t), 2), &redistest.Journal{}
			for i := range 40 {
				if err := w.AddTask(t.Context(), fmt.Sprint("k", i), rediswheel.Task{URL: url}, time.UnixMilli(1)); err != nil {
					t.Fatal(err)
				}
			}
			_, stop := startWorker(t, w, Options{Attempts: 1, DeadMax: c.max, Log: log.Logger(), AllowPrivate: true})
			redistest.Eventually(t, "all have failed", func() bool { return redistest.Must(w.Stats(t.Context()))(t).MarkedDead == 40 })
			stop()
			st := redistest.Must(w.Stats(t.Context()))(t)
			if st.Dead != c.dead || st.Dropped != c.dropped || st.Added != 40 {
				t.Errorf("%d dead, %d dropped of %d", st.Dead, st.Dropped, st.Added)
			}
			logged := strings.Contains(log.String(), "level=ERROR msg=\"dead tasks deleted") &&
				strings.Contains(log.String(), fmt.Sprint("since_start=", c.dropped))
			if logged != (c.dropped > 0) {
				t.Errorf("log of %d dropped tasks: %s", c.dropped, log)
			}
		})
	}
}

// The limit of a shard is an equal part of the wheel's.
func TestDeadMaxOfAShard(t *testing.T) {
	for _, c := range []struct{ max, want int64 }{{10, 4}, {1, 1}, {-1, 0}} {
		w := Worker{o: Options{DeadMax: c.max}}
		if got := w.deadMax(3); got != c.want {
			t.Errorf("%d of 3 shards: %d, want %d", c.max, got, c.want)
		}
	}
}

// Further deleted tasks within the interval are logged together, at the latest when the worker ends.
func TestDropLogGathers(t *testing.T) {
	log := &redistest.Journal{}
	w := Worker{o: Options{Log: log.Logger(), DeadMax: 7}}
	w.dropped.log.Interval = time.Minute
	for range 100 {
		w.noteDropped(3)
	}
	w.logDropped()
	text := log.String()
	if strings.Count(text, "\n") != 2 || !strings.Contains(text, "since_start=3 ") || !strings.Contains(text, "since_start=300 dead_max=7") {
		t.Errorf("%s", text)
	}
}

// By default a task is tried for about a day.
func TestRetriesLastADay(t *testing.T) {
	var all time.Duration
	for failed := 1; failed < AttemptsDefault; failed++ {
		all += Backoff(RetryDefault, RetryMaxDefault, failed, func(n time.Duration) time.Duration { return n / 2 })
	}
	if all < 23*time.Hour || all > 26*time.Hour {
		t.Errorf("%d attempts take %v", AttemptsDefault, all)
	}
}
