package redisprom_test

import (
	"context"
	"log"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/redisprom"
)

// Serve the metrics of a wheel at /metrics.
func Example() {
	ctx := context.Background()
	client, err := rediswheel.Connect(ctx, "127.0.0.1:6379", "")
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	w, err := rediswheel.Open(ctx, client, rediswheel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(redisprom.New(w))
	http.Handle("/metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
}
