package timerhttp_test

import (
	"log"
	"net/http"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/timerhttp"
)

// The page at http://localhost:6060/debug/timers/ shows the wheel while the program runs, and
// http://localhost:6060/debug/timers/?debug=1 its figures as plain text.
func ExampleHandler() {
	w, err := timer.New()
	if err != nil {
		log.Fatal(err)
	}
	w.AfterFunc(time.Minute, func() { /* … */ })
	http.Handle("/debug/timers/", timerhttp.Handler(w))
	log.Fatal(http.ListenAndServe("localhost:6060", nil))
}
