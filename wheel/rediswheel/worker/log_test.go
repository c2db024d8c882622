package worker

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A worker whose receiver is down logs one line per outcome instead of one per task. It logs nothing for a
// result that Redis rejects because another worker has the task.
func TestFailuresAreLoggedOnce(t *testing.T) {
	ctx, w, log := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1), &redistest.Journal{}
	const tasks = 50
	addHandlerTasks(t, w, tasks)
	_, stop := startWorker(t, w, Options{Log: log.Logger(), LogEvery: time.Hour, Attempts: 3, Handlers: map[string]Handler{
		"h": func(context.Context, Call) error { return errors.New("receiver is down") }}})
	redistest.Eventually(t, "all are given up", func() bool { return redistest.Must(w.Stats(ctx))(t).Dead == tasks })
	stop()
	tried, given := strings.Count(log.String(), "tried again"), strings.Count(log.String(), "given up")
	back := strings.Count(log.String(), "put back") // on a loaded machine, when callbacks take long
	if n := strings.Count(log.String(), "\n"); tried != 1 || given != 1 || back > 1 || n != tried+given+back {
		t.Errorf("%d lines: %s", n, log)
	}
}

// A worker logs how many tasks it took over from dead workers, and a foreign value once. The reason of a refused address
// names the flag that allows it.
func TestTakenOverAndForeign(t *testing.T) {
	ctx, c, log := context.Background(), redistest.Embedded(t), &redistest.Journal{}
	w := wheeltesting.Open(t, c, 2)
	addHandlerTasks(t, w, 12)
	for _, s := range engine.Of(w).Shards() {
		redistest.Must(s.ClaimFor(ctx, engine.ClaimRequest{Limit: 12, Lease: time.Millisecond, Worker: "dead", Nonce: 1, Handlers: []string{"h"}}))(t)
	}
	redistest.Must(c.ZAdd(ctx, engine.Of(w).Shards()[0].Prefix+":minutes", goredis.Z{Score: -1, Member: "foreign"}).Result())(t)
	time.Sleep(5 * time.Millisecond)
	startWorker(t, w, Options{Log: log.Logger(), Handlers: succeed})
	redistest.Eventually(t, "they are done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 12 })
	redistest.Eventually(t, "it is logged", func() bool {
		sum := 0
		for _, m := range regexp.MustCompile(`tasks=(\d+)`).FindAllStringSubmatch(log.String(), -1) {
			n, _ := strconv.Atoi(m[1])
			sum += n
		}
		return sum == 12
	})
	if n := strings.Count(log.String(), `value="minute foreign"`); n != 1 {
		t.Errorf("the foreign value is logged %d times: %s", n, log)
	}
	if !strings.Contains(ErrPrivate.Error(), "--allow-private") {
		t.Errorf("%v", ErrPrivate)
	}
}

// A failure is logged as a counted attempt only after Redis has accepted it. If the claim lapsed
// and another worker has the task, Redis does not accept it.
func TestFailureOfALapsedClaim(t *testing.T) {
	ctx, w, log := context.Background(), wheeltesting.Open(t, redistest.Embedded(t), 1), &redistest.Journal{}
	addHandlerTasks(t, w, 1)
	began, finish := make(chan struct{}), make(chan struct{})
	worker, stop := startWorker(t, w, Options{Log: log.Logger(), Lease: time.Minute, Poll: time.Hour, Concurrency: 1, Handlers: map[string]Handler{
		"h": func(context.Context, Call) error { close(began); <-finish; return errors.New("too late") }}})
	<-began
	l := (*worker.keepers.Load())[0].list(func(*lease) bool { return true })[0]
	redistest.Must(engine.Of(w).Shards()[0].Extend(ctx, []engine.ClaimID{l.claimID()}, -time.Second))(t)
	wheeltesting.ExpectKeys(t, redistest.Must(engine.Of(w).Shards()[0].Claim(ctx, 1, time.Minute))(t), "k0")
	close(finish)
	redistest.Eventually(t, "it is logged", func() bool { return log.String() != "" })
	stop()
	if text := log.String(); strings.Contains(text, "to be tried again") || !strings.Contains(text, "failed after its lease had lapsed; not counted") {
		t.Errorf("logged: %s", text)
	}
}
