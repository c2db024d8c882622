package timerprom

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Durations measures how long callbacks run, as the histogram
// wheelscope_timer_callback_duration_seconds. It reads the clock twice per callback:
//
//	d := timerprom.NewDurations(nil)
//	w, err := timer.New(timer.WithCallbackHook(d.Hook))
//	…
//	prometheus.MustRegister(timerprom.New(w, nil), d)
type Durations struct{ prometheus.Histogram }

// Bounds of the buckets of Durations: from 1 µs, each four times the one before, to 67 s.
const (
	durationFirst   = 1e-6
	durationFactor  = 4
	durationBuckets = 14
)

// NewDurations returns an empty histogram. The labels distinguish it from those of other wheels;
// they may be nil.
func NewDurations(labels prometheus.Labels) *Durations {
	return &Durations{prometheus.NewHistogram(prometheus.HistogramOpts{Name: "wheelscope_timer_callback_duration_seconds",
		Help: "How long callbacks ran.", ConstLabels: labels,
		Buckets: prometheus.ExponentialBuckets(durationFirst, durationFactor, durationBuckets)})}
}

// Hook calls a callback and observes its duration, even if it panics. It is safe for concurrent
// use.
func (d *Durations) Hook(call func()) {
	begun := time.Now()
	defer func() { d.Observe(time.Since(begun).Seconds()) }()
	call()
}
