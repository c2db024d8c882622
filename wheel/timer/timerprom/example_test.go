package timerprom_test

import (
	"log"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/timerprom"
)

// The figures of a wheel, and the durations of its callbacks.
func Example() {
	durations := timerprom.NewDurations(nil)
	w, err := timer.New(timer.WithCallbackHook(durations.Hook))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	prometheus.MustRegister(timerprom.New(w, nil), durations)
}
