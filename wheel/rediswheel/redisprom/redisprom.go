// Package redisprom provides a Prometheus collector for a wheel on Redis. It is a separate package so
// that programs without Prometheus do not depend on it.
//
//	prometheus.MustRegister(redisprom.New(wheel))
//
// Every metric has the label wheel, and metrics of tasks have the label shard. Counters of tasks
// are totals of the wheel since it was created, over all workers and processes: collect them from
// one worker, or use max over workers in a query. wheelscope_data_losses_total and
// wheelscope_redis_restarts_total count events seen by this process since it opened the wheel.
package redisprom

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// Times of a collection.
const (
	collectWait = 3 * time.Second // timeout for all Redis commands of one collection
	cacheTime   = time.Second     // time for which the values read from Redis are cached
)

// New returns a collector for a wheel. It is safe for concurrent use.
func New(w *rediswheel.Wheel) prometheus.Collector {
	c := &collector{wheel: w, labels: prometheus.Labels{"wheel": w.Name()}}
	c.up = c.desc("wheelscope_redis_up", "1 if Redis has answered the last collection, 0 if not.", false)
	c.losses = c.desc("wheelscope_data_losses_total", "Times the wheel, or a part of it, was found missing in Redis.", false)
	c.restarts = c.desc("wheelscope_redis_restarts_total", "Times a Redis node was found with another run_id: what it had not saved is lost.", false)
	c.workers = c.desc("wheelscope_workers", "Workers that were heard of lately.", false)
	c.late = c.desc("wheelscope_tasks_lateness_seconds", "How late delivered tasks were called, by the clock of Redis.", true)
	for _, f := range shardMetrics {
		c.descs = append(c.descs, c.desc("wheelscope_tasks_"+f.name, f.help, true))
	}
	return c
}

// collector is a Prometheus collector. It caches what it has read from Redis for the duration cacheTime, so
// that frequent collections do not burden Redis.
type collector struct {
	wheel  *rediswheel.Wheel
	labels prometheus.Labels
	descs  []*prometheus.Desc // descriptors of the metrics in shardMetrics, in the same order

	up, losses, restarts, workers, late *prometheus.Desc

	mu    sync.Mutex
	at    time.Time
	stats []rediswheel.Stats
	live  int
	err   error
}

func (c *collector) desc(name, help string, byShard bool) *prometheus.Desc {
	var variable []string
	if byShard {
		variable = []string{"shard"}
	}
	return prometheus.NewDesc(name, help, variable, c.labels)
}

// shardMetric is a metric that has a value for each shard.
type shardMetric struct {
	name, help string
	kind       prometheus.ValueType
	value      func(*rediswheel.Stats) int64
}

// shardMetrics lists the per-shard metrics, except for the lateness histogram.
var shardMetrics = []shardMetric{
	{"waiting", "Tasks that wait for their time.", prometheus.GaugeValue, func(s *rediswheel.Stats) int64 { return s.Waiting }},
	{"overdue", "Tasks that no worker has claimed a second after they were due, or to be tried again.", prometheus.GaugeValue, func(s *rediswheel.Stats) int64 { return s.Overdue }},
	{"in_flight", "Tasks that a worker has claimed.", prometheus.GaugeValue, func(s *rediswheel.Stats) int64 { return s.InFlight }},
	{"retrying", "Tasks that wait for another attempt.", prometheus.GaugeValue, func(s *rediswheel.Stats) int64 { return s.Retrying }},
	{"dead", "Tasks that were given up and are kept.", prometheus.GaugeValue, func(s *rediswheel.Stats) int64 { return s.Dead }},
	{"added_total", "Tasks that were added.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Added }},
	{"replaced_total", "Tasks that were replaced by one of the same key.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Replaced }},
	{"removed_total", "Tasks that were removed.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Removed }},
	{"delivered_total", "Callbacks that succeeded.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Delivered() }},
	{"retried_total", "Attempts that failed and are made again.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Retried }},
	{"died_total", "Tasks that were given up.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.MarkedDead }},
	{"revived_total", "Dead tasks that were made due again.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.RetriedDead }},
	{"dropped_total", "Dead tasks that were deleted because there were too many.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Dropped }},
	{"stale_total", "Acknowledgements that came after the lease had lapsed and the task was another's.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Stale }},
	{"lapsed_total", "Leases that lapsed and were taken over.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Lapsed }},
	{"deferred_total", "Claims put back by a worker that could not call them.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Deferred }},
	{"released_total", "Claims given back by a worker that stopped.", prometheus.CounterValue, func(s *rediswheel.Stats) int64 { return s.Released }},
}

// Describe sends the descriptions of all metrics to ch.
func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	ch <- c.up
	ch <- c.losses
	ch <- c.restarts
	ch <- c.workers
	ch <- c.late
	for _, d := range c.descs {
		ch <- d
	}
}

// Collect sends the metrics to ch. If Redis does not answer, it sends only wheelscope_redis_up with the value 0, and
// the numbers of data losses and restarts that this process has detected.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	stats, live, err := c.ask()
	up := 1.0
	if err != nil {
		up = 0
	}
	ch <- prometheus.MustNewConstMetric(c.up, prometheus.GaugeValue, up)
	losses := c.wheel.Losses()
	ch <- prometheus.MustNewConstMetric(c.losses, prometheus.CounterValue, float64(losses.Data))
	ch <- prometheus.MustNewConstMetric(c.restarts, prometheus.CounterValue, float64(losses.Restarts))
	if err != nil {
		return
	}
	ch <- prometheus.MustNewConstMetric(c.workers, prometheus.GaugeValue, float64(live))
	for i := range stats {
		shard := strconv.Itoa(i)
		for n, f := range shardMetrics {
			ch <- prometheus.MustNewConstMetric(c.descs[n], f.kind, float64(f.value(&stats[i])), shard)
		}
		ch <- c.lateness(&stats[i], shard)
	}
}

// lateness returns the lateness histogram of the shard whose statistics are s. The upper bound of each bucket is a
// power of two in milliseconds, converted to seconds.
func (c *collector) lateness(s *rediswheel.Stats, shard string) prometheus.Metric {
	buckets, sum := map[float64]uint64{}, uint64(0)
	const shown = 22 // up to an hour; the rest is in +Inf
	for b, n := range s.Late {
		sum += uint64(n)
		if b < shown+1 {
			buckets[float64(int64(1)<<b)/1000] = sum
		}
	}
	return prometheus.MustNewConstHistogram(c.late, sum, float64(s.LateMs)/1000, buckets, shard)
}

func (c *collector) ask() ([]rediswheel.Stats, int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.at.IsZero() && time.Since(c.at) < cacheTime {
		return c.stats, c.live, c.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), collectWait)
	defer cancel()
	c.stats, c.err = c.wheel.ShardStats(ctx)
	c.live = 0
	if c.err == nil {
		var workers []rediswheel.WorkerInfo
		workers, c.err = c.wheel.Workers(ctx)
		for i := range workers {
			if workers[i].Live() {
				c.live++
			}
		}
	}
	c.at = time.Now()
	return c.stats, c.live, c.err
}
