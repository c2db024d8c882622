package redisprom

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// workerMetrics lists the counters of a worker.
var workerMetrics = []struct {
	name, help string
	value      func(worker.Totals) int64
}{
	{"calls_total", "Calls that this worker began.", func(t worker.Totals) int64 { return t.Calls }},
	{"delivered_total", "Calls of this worker that succeeded.", func(t worker.Totals) int64 { return t.Done }},
	{"failed_total", "Calls of this worker that failed.", func(t worker.Totals) int64 { return t.Failed }},
}

// workerCollector is a collector of the counters of a worker.
type workerCollector struct {
	worker *worker.Worker
	descs  []*prometheus.Desc // in the order of workerMetrics
}

// NewWorker returns a collector for w, a worker of wheel. Its counters have the label handler, the name of the handler that
// was called: empty for HTTP callbacks, and "default" for worker.Options.Default. It is safe for concurrent use.
func NewWorker(w *worker.Worker, wheel *rediswheel.Wheel) prometheus.Collector {
	c := &workerCollector{worker: w}
	for _, m := range workerMetrics {
		c.descs = append(c.descs, prometheus.NewDesc("wheelscope_worker_"+m.name, m.help, []string{"handler"}, prometheus.Labels{"wheel": wheel.Name()}))
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *workerCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *workerCollector) Collect(to chan<- prometheus.Metric) {
	all := c.worker.HandlerTotals()
	if _, called := all[""]; !called {
		all[""] = worker.Totals{} // callbacks are counted from the start
	}
	for handler, totals := range all {
		for i, m := range workerMetrics {
			to <- prometheus.MustNewConstMetric(c.descs[i], prometheus.CounterValue, float64(m.value(totals)), handler)
		}
	}
}
