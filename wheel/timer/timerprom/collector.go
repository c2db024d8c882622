// Package timerprom exports the statistics of a wheel of package timer to Prometheus. It is a
// separate package, so that programs without Prometheus need not link it.
//
//	prometheus.MustRegister(timerprom.New(w, prometheus.Labels{"wheel": "sessions"}))
//
// Its metrics are those of [timer.Stats], with the prefix wheelscope_timer_: pending,
// running, fired_total, canceled_total, panics_total, late_total, lateness_seconds (a
// histogram), slot_skew and shard_skew.
package timerprom

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/wheelscope/wheelscope/wheel/timer"
)

// New returns a collector of the [timer.Stats] of w. labels distinguishes its metrics from those of
// other wheels and may be nil.
func New(w *timer.Wheel, labels prometheus.Labels) prometheus.Collector {
	c := &collector{wheel: w}
	for _, f := range figures {
		c.descs = append(c.descs, prometheus.NewDesc("wheelscope_timer_"+f.name, f.help, nil, labels))
	}
	c.descs = append(c.descs, prometheus.NewDesc("wheelscope_timer_lateness_seconds", "How long after their due tick timers were handed to the executor.", nil, labels))
	return c
}

type collector struct {
	wheel *timer.Wheel
	descs []*prometheus.Desc // a descriptor for each element of figures, in order, then one for the lateness histogram
}

// figure describes a metric and how to compute its value from the statistics of a wheel.
type figure struct {
	name, help string
	kind       prometheus.ValueType
	value      func(*timer.Stats) float64
}

var figures = []figure{
	{"pending", "Timers that are armed.", prometheus.GaugeValue, func(s *timer.Stats) float64 { return float64(s.Pending) }},
	{"running", "Callbacks that run, or wait in the executor.", prometheus.GaugeValue, func(s *timer.Stats) float64 { return float64(s.Running) }},
	{"fired_total", "Runs of timers that were due.", prometheus.CounterValue, func(s *timer.Stats) float64 { return float64(s.Fired) }},
	{"canceled_total", "Timers stopped before they fired.", prometheus.CounterValue, func(s *timer.Stats) float64 { return float64(s.Canceled) }},
	{"panics_total", "Callbacks that panicked.", prometheus.CounterValue, func(s *timer.Stats) float64 { return float64(s.Panicked) }},
	{"late_total", "Runs taken up more than a tick after they were due.", prometheus.CounterValue, func(s *timer.Stats) float64 { return float64(s.Late) }},
	{"slot_skew", "Timers in the fullest slot divided by the mean of its level's slots.", prometheus.GaugeValue, func(s *timer.Stats) float64 { return s.SlotSkew }},
	{"shard_skew", "Timers in the fullest shard divided by the mean of all shards.", prometheus.GaugeValue, func(s *timer.Stats) float64 { return s.ShardSkew }},
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		to <- d
	}
}

// Collect implements [prometheus.Collector]. All values that it sends come from a single call to [timer.Wheel.Stats].
func (c *collector) Collect(to chan<- prometheus.Metric) {
	s := c.wheel.Stats()
	for i, f := range figures {
		to <- prometheus.MustNewConstMetric(c.descs[i], f.kind, f.value(&s))
	}
	to <- lateness(c.descs[len(figures)], &s.Lateness)
}

// lateness converts h to a Prometheus histogram, whose counts are cumulative and whose durations are in seconds.
func lateness(desc *prometheus.Desc, h *timer.Histogram) prometheus.Metric {
	buckets, total := map[float64]uint64{}, uint64(0)
	for k, n := range h.Counts {
		if total += uint64(n); k < len(h.Counts)-1 {
			buckets[h.Bound(k).Seconds()] = total
		}
	}
	return prometheus.MustNewConstHistogram(desc, total, h.Sum.Seconds(), buckets)
}
