// Command bench compares the distributed wheel with the scheduled tasks of hibiken/asynq: adding by
// 1 to 128 callers, delivering tasks that are all due at once to a callback on loopback, lateness
// under a steady load with many tasks pending, memory per task, and the commands of idle workers.
// Each part of a round runs on a new redis-server. The command is a separate module, so that
// programs that use the wheel do not depend on asynq.
//
//	go run . [-tasks 100000] [-rounds 3] [-adds 40000] [-concurrency 64]
//	         [-pending 1000000] [-rate 1000] [-steady 20s] [-only add,deliver,steady,idle]
//	         [-callers 1,2,4,8,16,32,128] [-in-process]
//
// The two libraries take turns. The output has the median of each figure, followed by the values of all
// rounds. Redis, the callback server and the program share the machine: record its load with the figures.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"
)

// config contains the parameters of a measurement; see the flags.
type config struct {
	tasks, adds, concurrency int
	pending, rate            int
	steady                   time.Duration
	parts                    map[string]bool
	callers                  []int // numbers of concurrent callers; the part "add" of the benchmark measures each number
	url                      string
	kind                     string            // name of the library to measure, wheelscope or asynq; empty means both
	inProcess                bool              // whether tasks are delivered to a Go function instead of by HTTP
	called                   func(body []byte) // counts a task that was delivered in process, given the body of the task
}

// contender is a library under measurement. It uses a Redis server that is empty when the library is opened.
type contender interface {
	// add adds a task with the given body and due time. It is called concurrently.
	add(ctx context.Context, key, url string, body []byte, due time.Time) error
	// fill adds n tasks with the given body by the library's fastest method. due is the due time of the first task;
	// each further task is due 1 ms after the previous one.
	fill(ctx context.Context, n int, body []byte, due time.Time) error
	// deliver runs a worker that delivers due tasks until ctx is done.
	deliver(ctx context.Context) error
	close()
}

// figures maps the names of the results of one round to their values.
type figures map[string]float64

// addName returns the key in figures of the rate at which n concurrent callers add tasks.
func addName(n int) string { return fmt.Sprintf("add, %d callers (tasks/s)", n) }

// Names of all figures except those that addName returns.
const (
	nameDeliver = "deliver, all due at once (tasks/s)"
	nameProgram = "processor time of the program (µs/task)"
	nameRedis   = "processor time of Redis (µs/task)"
	nameMemory  = "memory (bytes per task)"
	nameP50     = "lateness p50 (ms)"
	nameP99     = "lateness p99 (ms)"
	nameLatest  = "lateness max (ms)"
	nameEarly   = "early"
	nameIdle    = "idle (commands/s)"
)

var kinds = []struct {
	name string
	open func(addr string, c *config) (contender, error)
}{{"wheelscope", openWheel}, {"asynq", openAsynq}}

func main() {
	var c config
	flag.IntVar(&c.tasks, "tasks", 100_000, "tasks that are delivered at once")
	flag.IntVar(&c.adds, "adds", 40_000, "tasks added by each number of callers")
	flag.IntVar(&c.concurrency, "concurrency", 64, "callbacks at a time")
	flag.IntVar(&c.pending, "pending", 1_000_000, "tasks pending during the steady load")
	flag.IntVar(&c.rate, "rate", 1000, "tasks due per second of the steady load")
	flag.DurationVar(&c.steady, "steady", 20*time.Second, "duration of the steady load")
	flag.StringVar(&c.kind, "kind", "", "only this: wheelscope or asynq")
	flag.BoolVar(&c.inProcess, "in-process", false, "deliver to a Go function that counts, without HTTP")
	only := flag.String("only", "add,deliver,steady,idle", "parts to measure")
	rounds := flag.Int("rounds", 3, "rounds of each")
	callers := flag.String("callers", "1,2,4,8,16,32,128", "numbers of goroutines that add side by side")
	profile := flag.String("profile", "", "file for a processor profile, with the label part=worker or receiver")
	flag.Parse()
	for _, text := range strings.Split(*callers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			log.Fatalf("bench: -callers: %.20q, expected numbers from 1", text)
		}
		c.callers = append(c.callers, n)
	}
	c.parts = map[string]bool{}
	for _, part := range strings.Split(*only, ",") {
		c.parts[part] = true
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal("bench: ", err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal("bench: ", err)
		}
		defer pprof.StopCPUProfile()
	}
	if err := measure(&c, *rounds); err != nil {
		log.Fatal("bench: ", err)
	}
}

func measure(c *config, rounds int) error {
	sink, err := startSink()
	if err != nil {
		return err
	}
	defer sink.close()
	c.url, c.called = sink.url, sink.count
	all := map[string][]figures{}
	for range rounds {
		for _, k := range kinds {
			if c.kind != "" && c.kind != k.name {
				continue
			}
			f, err := round(c, sink, k.open)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			all[k.name] = append(all[k.name], f)
			fmt.Fprintf(os.Stderr, "%s: %v\n", k.name, f)
		}
	}
	report(c.callers, all)
	return nil
}

// report prints, for each figure, the medians of both libraries, the ratio of the medians, and the values of all
// rounds. callers contains the numbers of concurrent callers that were measured; all contains the figures of each
// round, keyed by the name of the library.
func report(callers []int, all map[string][]figures) {
	var names []string
	for _, n := range callers {
		names = append(names, addName(n))
	}
	names = append(names, nameDeliver, nameProgram, nameRedis, nameMemory, nameP50, nameP99, nameLatest, nameEarly, nameIdle)
	fmt.Printf("%-42s %12s %12s %8s\n", "", kinds[0].name, kinds[1].name, "ratio")
	for _, name := range names {
		medians, every := [2]float64{}, [2][]float64{}
		for i, k := range kinds {
			for _, f := range all[k.name] {
				if v, measured := f[name]; measured {
					every[i] = append(every[i], v)
				}
			}
			if slices.Sort(every[i]); len(every[i]) > 0 {
				medians[i] = every[i][len(every[i])/2]
			}
		}
		if len(every[0])+len(every[1]) == 0 {
			continue
		}
		fmt.Printf("%-42s %12.0f %12.0f %7.2f×   %.0f %.0f\n", name, medians[0], medians[1], medians[0]/medians[1], every[0], every[1])
	}
}
