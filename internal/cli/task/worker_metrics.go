package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/redisprom"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// Limits of the server of --metrics.
const (
	metricsHeaderMax  = 16 << 10               // maximum number of bytes in a request's header
	metricsAtOnce     = 4                      // maximum number of concurrent requests for /metrics
	metricsHeaderWait = 5 * time.Second        // timeout for reading the header of a request
	metricsWait       = 10 * time.Second       // timeout for reading a request, and for writing its response
	metricsEnd        = 500 * time.Millisecond // how long a shutdown waits for requests in progress
)

// metricsHandler returns the handler for the URL paths /metrics, /healthz and /readyz for worker wk, which
// delivers the tasks of wheel w.
func metricsHandler(w *rediswheel.Wheel, wk *worker.Worker) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(redisprom.New(w), redisprom.NewWorker(wk, w), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: metricsAtOnce, Timeout: metricsWait}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if err := wk.Ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	return mux
}

// serveMetrics prints the URL of the metrics of worker wk and wheel w, and serves them at addr in the background
// until stop is called.
func serveMetrics(s *console.Streams, log *slog.Logger, addr string, w *rediswheel.Wheel, wk *worker.Worker) (stop func(), err error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	server := &http.Server{Handler: metricsHandler(w, wk), ReadHeaderTimeout: metricsHeaderWait, ReadTimeout: metricsWait,
		WriteTimeout: metricsWait + metricsHeaderWait, IdleTimeout: time.Minute, MaxHeaderBytes: metricsHeaderMax,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	address := "http://" + listener.Addr().String() + "/metrics"
	if err := s.Result(console.Fields{"metrics": address}, "metrics on %s\n", console.Printable(address)); err != nil {
		_ = listener.Close()
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("--metrics: " + err.Error())
		}
	}()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), metricsEnd)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
		<-ended
	}, nil
}
