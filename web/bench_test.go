package web

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/sim"
)

// BenchmarkSockets plays sessions of their own at 30 ticks, and so 30 frames, a
// second over the loopback, all on one run, and tells how late frames arrive:
// the lateness of a frame is its arrival less the moment at which its tick was
// due, the promptest frame of the session being the one on time. One iteration
// is five seconds.
func BenchmarkSockets(b *testing.B) {
	for _, name := range []string{"heartbeats", "hundred-thousand"} {
		for _, n := range []int{1, 200} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					benchSockets(b, name, n)
				}
			})
		}
	}
}

const (
	benchRate = 30 // frames a second
	benchTime = 5 * time.Second
)

func benchSockets(b *testing.B, name string, sockets int) {
	store := sim.NewStore()
	defer store.Close()
	s, err := New(Config{Addr: "127.0.0.1:0", Store: store})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Listen(); err != nil {
		b.Fatal(err)
	}
	go s.Serve()
	defer s.Shutdown(context.Background())

	late := make([][]time.Duration, sockets)
	var all sync.WaitGroup
	for i := range sockets {
		all.Go(func() { late[i] = benchSocket(b, s.ln.Addr().String(), name, i) })
	}
	all.Wait()
	frames := slices.Concat(late...)
	if len(frames) < sockets*benchRate*int(benchTime/time.Second)/2 {
		b.Errorf("%d frames arrived at %d sockets, expected about %d", len(frames), sockets, sockets*benchRate*int(benchTime/time.Second))
	}
	if len(frames) == 0 {
		return
	}
	slices.Sort(frames)
	b.ReportMetric(float64(frames[len(frames)/2].Microseconds())/1000, "p50-ms-late")
	b.ReportMetric(float64(frames[len(frames)*99/100].Microseconds())/1000, "p99-ms-late")
	b.ReportMetric(float64(len(frames))/float64(sockets)/benchTime.Seconds(), "frames/s")
}

// benchSocket plays one session and gives the lateness of each of its frames.
func benchSocket(b *testing.B, addr, name string, i int) (late []time.Duration) {
	time.Sleep(time.Duration(i) * 5 * time.Millisecond) // 200 people don't press Play at once
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ws?t=2000&scenario="+name, nil)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer conn.Close()
	conn.WriteMessage(websocket.TextMessage, []byte(fmt.Sprintf(`{"v":1,"id":1,"do":"play","rate":%d}`, benchRate)))
	start := time.Now()
	for end := start.Add(benchTime); time.Now().Before(end); {
		_, data, err := conn.ReadMessage()
		if err != nil {
			b.Error(err)
			return late
		}
		var m struct {
			Kind string `json:"kind"`
			Tick int64  `json:"tick"`
		}
		if err := json.Unmarshal(data, &m); err != nil || m.Kind != "delta" {
			continue
		}
		late = append(late, time.Since(start)-time.Duration(m.Tick)*time.Second/benchRate)
	}
	return sinceEarliest(late)
}

// sinceEarliest takes the promptest frame as the one on time: the moment at which
// the server began to play is not known here.
func sinceEarliest(late []time.Duration) []time.Duration {
	if len(late) == 0 {
		return nil
	}
	first := slices.Min(late)
	for i := range late {
		late[i] -= first
	}
	return late
}
