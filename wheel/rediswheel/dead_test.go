package rediswheel

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// addDead adds tasks and marks them as dead, k0 first. Odd ones have another host and reason.
func addDead(t testing.TB, w *Wheel, n int) {
	t.Helper()
	ctx := context.Background()
	for i := range n {
		key := fmt.Sprint("k", i)
		task := Task{URL: fmt.Sprintf("https://user:secret@host%d.example:8443/x", i%2), Body: []byte(strings.Repeat("b", 1000))}
		if err := w.AddTask(ctx, key, task, time.UnixMilli(1)); err != nil {
			t.Fatal(err)
		}
		s := w.shards[w.shardOf(key)]
		c := must(s.Claim(ctx, 1, time.Minute))(t)
		must(s.Bury(ctx, 0, []Failed{{Hold: c.Tasks[0].Hold, Reason: []string{"answered 500", "answered 404"}[i%2]}}))(t)
	}
}

// refusing starts a receiver that answers every callback with a status, and returns its URL.
func refusing(t testing.TB, status int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(server.Close)
	return server.URL
}

// Dead tasks past the limit are deleted with an error line and a counter; without a limit none is.
func TestDeadTasksAreNotDroppedSilently(t *testing.T) {
	url := refusing(t, http.StatusInternalServerError)
	for _, c := range []struct {
		name          string
		max           int64
		dead, dropped int64
	}{{"limit", 6, 6, 34}, {"no limit", -1, 40, 0}, {"default", 0, 40, 0}} {
		t.Run(c.name, func(t *testing.T) {
			w, log := open(t, embedded(t), 2), &journal{}
			for i := range 40 {
				if err := w.AddTask(t.Context(), fmt.Sprint("k", i), Task{URL: url}, time.UnixMilli(1)); err != nil {
					t.Fatal(err)
				}
			}
			_, stop := startWorker(t, w, WorkerOptions{Attempts: 1, DeadMax: c.max, Log: log.logger(), AllowPrivate: true})
			eventually(t, "all have failed", func() bool { return must(w.Stats(t.Context()))(t).Buried == 40 })
			stop()
			st := must(w.Stats(t.Context()))(t)
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
		w := Worker{o: WorkerOptions{DeadMax: c.max}}
		if got := w.deadMax(3); got != c.want {
			t.Errorf("%d of 3 shards: %d, want %d", c.max, got, c.want)
		}
	}
}

// Further deleted tasks within the interval are logged together, at the latest when the worker ends.
func TestDropLogGathers(t *testing.T) {
	log := &journal{}
	l := dropLog{log: log.logger(), max: 7, every: time.Minute}
	for range 100 {
		l.add(3)
	}
	l.flush()
	text := log.String()
	if strings.Count(text, "\n") != 2 || !strings.Contains(text, "deleted=3 ") || !strings.Contains(text, "deleted=297 since_start=300 dead_max=7") {
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

// A dead task is retried with all its attempts, selected by its key, a part of the reason, the
// host, or not at all. One call retries it once, whatever the receiver answers.
func TestRetry(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, w := t.Context(), open(t, c, 3)
		addDead(t, w, 20)
		if !must(w.RetryTask(ctx, "k0"))(t) || must(w.RetryTask(ctx, "k0"))(t) || must(w.RetryTask(ctx, "none"))(t) {
			t.Error("one task")
		}
		info, _, err := w.Get(ctx, "k0")
		if err != nil || info.State != Retrying || info.Attempts != 0 || info.Reason != "answered 500" || info.At.After(time.Now().Add(time.Second)) {
			t.Errorf("retried: %+v, %v", info, err)
		}
		if n := must(w.Retry(ctx, Query{State: Dead, Error: "404"}))(t); n != 10 {
			t.Errorf("%d by reason", n)
		}
		if n := must(w.Retry(ctx, Query{State: Dead, Host: "HOST1.example"}))(t); n != 0 {
			t.Errorf("%d of a host that has none left", n)
		}
		if n := must(w.Retry(ctx, Query{State: Dead, Match: "k?", Host: "host0.example"}))(t); n != 4 {
			t.Errorf("%d by pattern", n)
		}
		if n := must(w.Retry(ctx, Query{State: Dead}))(t); n != 5 {
			t.Errorf("%d of the rest", n)
		}
		if st := must(w.Stats(ctx))(t); st.Dead != 0 || st.Retrying != 20 || st.Revived != 20 || st.Added != 20 {
			t.Errorf("%+v", st)
		}
		if _, err := w.Retry(ctx, Query{State: Waiting}); err == nil {
			t.Error("waiting tasks are retried")
		}
	})
}

// Tasks that wait an hour for their next attempt are tried at once after the receiver is repaired, and keep
// their number of attempts. Those that are due already are not counted.
func TestRetryNow(t *testing.T) {
	ctx, w := t.Context(), open(t, embedded(t), 1)
	s := w.shards[0]
	for i := range 600 {
		must(s.Add(ctx, []Entry{entry(fmt.Sprint("k", i), 1)}))(t)
	}
	for range 2 {
		c := must(s.Claim(ctx, 300, time.Minute))(t)
		var failed []Failed
		for _, task := range c.Tasks {
			failed = append(failed, Failed{Hold: task.Hold, Wait: time.Hour, Reason: "answered 503"})
		}
		must(s.Later(ctx, Retried, failed))(t)
	}
	if n := must(w.Retry(ctx, Query{State: Retrying}))(t); n != 600 {
		t.Errorf("%d made due", n)
	}
	if n := must(w.Retry(ctx, Query{State: Retrying}))(t); n != 0 {
		t.Errorf("%d made due again", n)
	}
	if c := must(s.Claim(ctx, 1, time.Minute))(t); len(c.Tasks) != 1 || c.Tasks[0].Attempts != 2 {
		t.Errorf("claimed %+v", c.Tasks)
	}
}
