package worker

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// The size of the failure run. `make soak` runs it with 100,000 tasks over 60 s.
var (
	failureTasks = flag.Int("failures.tasks", 1500, "tasks of the failure run")
	failureSpan  = flag.Duration("failures.span", 5*time.Second, "time over which they are due")
	failureSeed  = flag.Uint64("failures.seed", 0, "seed of the faults; 0 draws one")
)

// failureLease is short, so that a run does not wait long for the tasks of a dead worker, and
// longer than any outage, so that a live worker never loses a lease.
const failureLease = 4 * time.Second

// Names of the environment variables that make the test's program a worker: see TestMain.
const (
	envAddr = "WHEELSCOPE_TEST_REDIS"
	envID   = "WHEELSCOPE_TEST_WORKER"
	envSink = "WHEELSCOPE_TEST_SINK"
)

// workerProcess runs a worker until the process is killed, or until its standard input ends at the
// end of the test.
func workerProcess() {
	client := goredis.NewClient(&goredis.Options{Addr: os.Getenv(envAddr), ReadTimeout: time.Second, DialTimeout: time.Second})
	var w *rediswheel.Wheel
	for w == nil {
		var err error
		if w, err = rediswheel.Open(context.Background(), client, rediswheel.Options{}); err != nil {
			time.Sleep(20 * time.Millisecond)
		}
	}
	worker, err := New(w, Options{Lease: failureLease, AllowPrivate: true, Attempts: 50, Concurrency: 32})
	if err != nil {
		panic(err)
	}
	nameConnections(worker.http.Transport.(*http.Transport), os.Getenv(envSink), os.Getenv(envID))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
	}()
	_ = worker.Run(ctx)
}

// workerProcesses holds the worker processes of a failure run. A restart starts a new process.
type workerProcesses struct {
	t     *testing.T
	addr  string
	sink  *sink
	alive [3]*exec.Cmd
	ids   [3]string
	n     int
}

// start starts the worker process with index place.
func (c *workerProcesses) start(place int) {
	c.n++
	c.ids[place] = fmt.Sprint(c.n)
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), envAddr+"="+c.addr, envID+"="+c.ids[place], envSink+"="+c.sink.url)
	if _, err := cmd.StdinPipe(); err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.alive[place] = cmd
}

// kill kills a worker with SIGKILL and records the time.
func (c *workerProcesses) kill(place int) {
	_ = c.alive[place].Process.Kill()
	_ = c.alive[place].Wait()
	c.sink.recordDeath(c.ids[place])
}

// faultInjector injects one fault after another, drawn from a seed.
type faultInjector struct {
	crew    *workerProcesses
	server  *redistest.Server
	proxy   *redistest.Proxy
	r       *rand.Rand
	pending []int // the faults to come; every kind occurs early
	faults  map[string]int
}

// inject injects one fault and ends it after a while.
func (s *faultInjector) inject() {
	if len(s.pending) == 0 {
		s.pending = s.r.Perm(4)
	}
	fault := s.pending[0]
	s.pending = s.pending[1:]
	outage := time.Duration(100+s.r.IntN(600)) * time.Millisecond
	switch fault {
	case 0:
		s.faults["workers killed"]++
		place := s.r.IntN(len(s.crew.alive))
		s.crew.kill(place)
		time.Sleep(outage)
		s.crew.start(place)
	case 1:
		s.faults["server killed"]++
		s.server.Kill()
		time.Sleep(outage)
		s.server.Restart()
	case 2:
		s.faults["connections cut"] += s.proxy.Cut()
	case 3:
		s.faults["delays"]++
		s.proxy.Delay(time.Duration(5+s.r.IntN(60)) * time.Millisecond)
		time.Sleep(outage)
		s.proxy.Delay(0)
	}
}

// pause returns the time between two faults, such that a run of any length has several.
func (s *faultInjector) pause(span time.Duration) time.Duration {
	mean := min(span/8, 1500*time.Millisecond)
	return mean/2 + time.Duration(s.r.Int64N(int64(mean)))
}

// Workers and the server are killed and restarted, and connections are cut and delayed. Every task
// is called, none early, and twice only if a worker died between the call and its acknowledgement.
func TestFailures(t *testing.T) {
	t.Parallel()
	seed := *failureSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-failures.seed %d -failures.tasks %d -failures.span %v", seed, *failureTasks, *failureSpan)
	run := newFailureRun(t)
	s := &faultInjector{crew: run.crew, server: run.server, proxy: run.proxy, r: rand.New(rand.NewPCG(seed, 0)), faults: map[string]int{}}
	until := time.Now().Add(*failureSpan + addAhead - 2*time.Second)
	for time.Now().Before(until) {
		time.Sleep(s.pause(*failureSpan))
		s.inject()
	}
	run.finish(t)
	t.Logf("faults: %v", s.faults)
}

// Without faults every task is called once. Lateness is logged, not checked.
func TestNoFailures(t *testing.T) {
	t.Parallel()
	newFailureRun(t).finish(t)
}

// failureRun is a server that saves every write, a network in front of it that fails, three
// workers, and tasks that are added during the whole run.
type failureRun struct {
	server *redistest.Server
	proxy  *redistest.Proxy
	crew   *workerProcesses
	sink   *sink
	added  chan error
	direct *goredis.Client
}

// openWait is how long a server is waited for that has started.
const openWait = 30 * time.Second

func newFailureRun(t *testing.T) *failureRun {
	run := &failureRun{server: redistest.StartKept(t), added: make(chan error, 1), sink: startSink(t)}
	run.proxy = redistest.StartProxy(t, run.server.Addr)
	run.direct = run.server.Client()
	run.crew = &workerProcesses{t: t, addr: run.proxy.Addr, sink: run.sink}
	for place := range run.crew.alive {
		run.crew.start(place)
	}
	t.Cleanup(func() {
		for place := range run.crew.alive {
			run.crew.kill(place)
		}
	})
	through := goredis.NewClient(&goredis.Options{Addr: run.proxy.Addr, ReadTimeout: time.Second, DialTimeout: time.Second})
	t.Cleanup(func() { _ = through.Close() })
	// With a tenth of a processor the server may not answer within the second that detects a cut connection.
	for began := time.Now(); through.Ping(t.Context()).Err() != nil && time.Since(began) < openWait; {
	}
	wheel := wheeltesting.Open(t, through, 0)
	go func() { run.added <- addInWaves(wheel, run.sink, *failureTasks, *failureSpan) }()
	return run
}

// addWaves is the number of parts in which the tasks are added, and addAhead the time from the start
// of the run to the first due time, which a loaded machine has to add a wave in spite of faults.
const (
	addWaves = 20
	addAhead = 10 * time.Second
)

// addInWaves adds tasks in waves, each some seconds before the first of them is due. If a wave fails
// it is added again, since none of its tasks has been called yet.
func addInWaves(w *rediswheel.Wheel, s *sink, n int, span time.Duration) error {
	start := time.Now()
	for wave := range addWaves {
		time.Sleep(time.Until(start.Add(time.Duration(wave) * span / addWaves)))
		var items []rediswheel.Item
		for i := wave * n / addWaves; i < (wave+1)*n/addWaves; i++ {
			key, due := fmt.Sprint("task-", i), start.Add(addAhead+time.Duration(i)*span/time.Duration(n))
			items = append(items, rediswheel.Item{Key: key, Task: rediswheel.Task{URL: s.url}, ExecuteAt: due})
		}
		var err error
		for until := start.Add(time.Duration(wave)*span/addWaves + addAhead - 500*time.Millisecond); time.Now().Before(until); {
			ctx, cancel := context.WithDeadline(context.Background(), until)
			err = w.AddTasks(ctx, items)
			cancel()
			if err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if err != nil {
			return fmt.Errorf("wave %d: %w", wave, err)
		}
	}
	return nil
}

// finish waits until no task is left, and checks the calls.
func (run *failureRun) finish(t *testing.T) {
	t.Helper()
	if err := <-run.added; err != nil {
		t.Fatalf("the tasks could not be added in time: %v", err)
	}
	w := wheeltesting.Open(t, run.direct, 0)
	until := time.Now().Add(3**failureSpan + 60*time.Second)
	for left := int64(1); left > 0; time.Sleep(50 * time.Millisecond) {
		if st, err := w.Stats(context.Background()); err == nil {
			left = st.Waiting + st.InFlight + st.Retrying + st.Dead
		}
		if time.Now().After(until) {
			t.Errorf("%d tasks are left", left)
			break
		}
	}
	st := redistest.Must(w.Stats(context.Background()))(t)
	faults := run.sink.check(*failureTasks)
	t.Logf("%s; Redis counts %d done, %d lapsed, %d stale, lateness p99 under %d ms", run.sink, st.Done, st.Lapsed, st.Stale, st.Late.Quantile(0.99))
	if len(faults) > 0 {
		t.Errorf("%d faults:\n%s", len(faults), strings.Join(faults[:min(len(faults), 20)], "\n"))
	}
}
