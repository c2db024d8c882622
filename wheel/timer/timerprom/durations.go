package timerprom

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Durations measures how long callbacks run. It exports the durations as the histogram
// wheelscope_timer_callback_duration_seconds, and reads the clock twice per callback.
//
//	d := timerprom.NewDurations(nil)
//	w, err := timer.New(timer.WithCallbackHook(d.Hook))
//	…
//	prometheus.MustRegister(timerprom.New(w, nil), d)
type Durations struct{ prometheus.Histogram }

// Upper bounds of the buckets of Durations, in seconds: 1 µs, then each four times the previous one, up to 67 s.
const (
	durationFirst   = 1e-6
	durationFactor  = 4
	durationBuckets = 14
)

// NewDurations returns an empty histogram. labels distinguishes it from those of other wheels and
// may be nil.
func NewDurations(labels prometheus.Labels) *Durations {
	return &Durations{prometheus.NewHistogram(prometheus.HistogramOpts{Name: "wheelscope_timer_callback_duration_seconds",
		Help: "How long callbacks ran.", ConstLabels: labels,
		Buckets: prometheus.ExponentialBuckets(durationFirst, durationFactor, durationBuckets)})}
}

// Hook calls a callback and records its duration, even if it panics. Pass it to
// [timer.WithCallbackHook]. It is safe for concurrent use.
func (d *Durations) Hook(call func()) {
	begun := time.Now()
	defer func() { d.Observe(time.Since(begun).Seconds()) }()
	call()
}
