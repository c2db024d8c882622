package serve

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/web"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// wheelNames splits list, the value of the --wheel flag, at commas. It returns an error if a name is empty or
// occurs twice, or if there are more than web.WheelsMax names.
func wheelNames(list string) ([]string, error) {
	names := strings.Split(list, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if names[i] == "" || slices.Contains(names[:i], names[i]) {
			return nil, fmt.Errorf("--wheel: %.80q, expected different names such as orders,mails", list)
		}
	}
	if len(names) > web.WheelsMax {
		return nil, fmt.Errorf("--wheel: %d names, expected at most %d", len(names), web.WheelsMax)
	}
	return names, nil
}

// taskStats returns open, a function that returns the named wheel, and ask, a function that reads the statistics and the workers of a wheel for the page
// /worker, both nil if neither the --redis flag nor the environment names a Redis server. ask connects to Redis
// when it is first called for a wheel; if that fails, it tries again at the next call. done closes the
// connections.
func taskStats(f *console.RedisFlags) (ask web.TaskStats, open web.OpenWheel, done func()) {
	if cmp.Or(f.Addr, os.Getenv(console.RedisEnv)) == "" {
		return nil, nil, func() {}
	}
	var mu sync.Mutex
	wheels, ends := map[string]*rediswheel.Wheel{}, []func(){}
	open = func(ctx context.Context, name string) (*rediswheel.Wheel, error) {
		mu.Lock()
		w := wheels[name]
		mu.Unlock()
		if w != nil {
			return w, nil
		}
		named := console.RedisFlags{Addr: f.Addr, Wheel: name}
		w, end, err := named.Open(ctx, rediswheel.Options{Existing: true})
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		wheels[name], ends = w, append(ends, end)
		return w, nil
	}
	ask = func(ctx context.Context, name string) (f web.TaskFigures, err error) {
		w, err := open(ctx, name)
		if err != nil {
			return f, err
		}
		if f.Stats, err = w.Stats(ctx); err == nil {
			f.Workers, err = w.Workers(ctx)
		}
		return f, err
	}
	return ask, open, func() {
		mu.Lock()
		defer mu.Unlock()
		for _, end := range ends {
			end()
		}
	}
}
