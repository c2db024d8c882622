// Command bench measures the distributed wheel beside hibiken/asynq's scheduled tasks:
// adding, delivering to a callback on loopback, and memory a task, each round on a
// real redis-server of its own. It is a module of its own, so that programs that use
// the wheel do not depend on what it is measured against.
//
//	go run . [-tasks 100000] [-rounds 3] [-callers 32] [-concurrency 64]
//
// The two take turns, and the medians are told with every figure beside them. Redis,
// the callback's server and the program share the machine: tell its load with the
// figures.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"
)

// config is what is measured.
type config struct {
	tasks, sequential, callers, concurrency int
	url                                     string
}

// contender is a library under measurement, on an empty server.
type contender interface {
	// add adds a task that is due at a time. Callers add side by side.
	add(ctx context.Context, key, url string, body []byte, due time.Time) error
	// deliver delivers everything that is due until ctx ends.
	deliver(ctx context.Context) error
	close()
}

// figures are one round's, by name. More is better, but fewer bytes.
type figures map[string]float64

var (
	names = []string{"add, one caller (tasks/s)", "add, many callers (tasks/s)", "deliver (tasks/s)", "memory (bytes a task)"}
	kinds = []struct {
		name string
		open func(addr string, c *config) (contender, error)
	}{{"wheelscope", openWheel}, {"asynq", openAsynq}}
)

func main() {
	var c config
	flag.IntVar(&c.tasks, "tasks", 100_000, "tasks added by many callers, and delivered")
	flag.IntVar(&c.sequential, "sequential", 20_000, "tasks added by one caller")
	flag.IntVar(&c.callers, "callers", 32, "callers that add side by side")
	flag.IntVar(&c.concurrency, "concurrency", 64, "callbacks at a time")
	rounds := flag.Int("rounds", 3, "rounds of each")
	flag.Parse()
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
	c.url = sink.url
	all := map[string][]figures{}
	for range rounds {
		for _, k := range kinds {
			f, err := round(c, sink, k.open)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			all[k.name] = append(all[k.name], f)
			fmt.Fprintf(os.Stderr, "%s: %v\n", k.name, f)
		}
	}
	report(all)
	return nil
}

// report prints the medians, and all figures behind them.
func report(all map[string][]figures) {
	fmt.Printf("%-28s %12s %12s %8s\n", "", kinds[0].name, kinds[1].name, "ratio")
	for _, name := range names {
		medians, every := [2]float64{}, [2][]float64{}
		for i, k := range kinds {
			for _, f := range all[k.name] {
				every[i] = append(every[i], f[name])
			}
			slices.Sort(every[i])
			medians[i] = every[i][len(every[i])/2]
		}
		fmt.Printf("%-28s %12.0f %12.0f %7.2f×   %.0f %.0f\n", name, medians[0], medians[1], medians[0]/medians[1], every[0], every[1])
	}
}
