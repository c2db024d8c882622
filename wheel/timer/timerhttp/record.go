package timerhttp

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

// record responds with a recording of the wheel that lasts as long as the parameter seconds says.
func (s *server) record(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("seconds")
	seconds, err := strconv.Atoi(text)
	if err != nil || seconds < 1 || seconds > recordMax {
		http.Error(w, fmt.Sprintf("seconds: %q is not a whole number from 1 to %d", text, recordMax), http.StatusBadRequest)
		return
	}
	if r.Method == http.MethodHead {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", `attachment; filename="timers.rec"`)
	h.Set("Cache-Control", "no-store")
	stop, err := timer.Record(s.wheel, recorded{w, http.NewResponseController(w)})
	if err != nil {
		h.Del("Content-Disposition")
		code := http.StatusConflict
		if errors.Is(err, timer.ErrClosed) {
			code = http.StatusGone
		}
		http.Error(w, err.Error(), code)
		return
	}
	defer stop()
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
	case <-r.Context().Done():
	}
}

// recorded passes a recording to a client, which is disconnected if it reads nothing for writeWait.
type recorded struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (w recorded) Write(p []byte) (int, error) {
	if err := w.control.SetWriteDeadline(time.Now().Add(writeWait)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	n, err := w.ResponseWriter.Write(p)
	if err == nil {
		w.control.Flush() // an error, if the writer cannot be flushed, does no harm
	}
	return n, err
}
