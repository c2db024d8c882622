package web

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// BenchmarkSockets plays separate sessions of one run at 30 ticks, and so 30 frames, a second over
// the loopback and reports how late frames arrive. The lateness of a frame is its arrival less the
// time at which its tick was due, relative to the earliest frame of its session. One iteration is
// five seconds.
func BenchmarkSockets(b *testing.B) {
	for _, name := range []string{"heartbeats", "hundred-thousand"} {
		for _, c := range []struct {
			what    string
			sockets int
			apart   int64 // ticks between the starts of two sessions
		}{{"alone", 1, 0}, {"together", 200, 0}, {"apart", 200, 97}} {
			b.Run(name+"/"+c.what, func(b *testing.B) {
				for b.Loop() {
					benchSockets(b, name, c.sockets, c.apart)
				}
			})
		}
	}
}

const (
	benchRate = 30 // frames a second
	benchTime = 5 * time.Second
)

func benchSockets(b *testing.B, name string, sockets int, apart int64) {
	store := sim.NewStore(sim.StoreOptions{})
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
	var all, open sync.WaitGroup
	open.Add(sockets)
	for i := range sockets {
		all.Go(func() {
			conn := benchOpen(b, s.ln.Addr().String(), name, 2000+int64(i)*apart)
			open.Done()
			open.Wait() // measuring begins when all have opened the page
			if conn != nil {
				defer conn.Close()
				// 200 people don't press Play in the same millisecond.
				time.Sleep(time.Duration(i) * time.Second / time.Duration(sockets))
				late[i] = benchPlay(b, conn)
			}
		})
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

// benchOpen opens a session and reads up to its first state.
func benchOpen(b *testing.B, addr, name string, tick int64) *websocket.Conn {
	conn, _, err := websocket.DefaultDialer.Dial(fmt.Sprintf("ws://%s/ws?t=%d&scenario=%s", addr, tick, name), nil)
	for err == nil {
		var data []byte
		if _, data, err = conn.ReadMessage(); bytes.Contains(data[:min(len(data), 40)], []byte(`"state"`)) {
			return conn
		}
	}
	b.Error(err)
	return nil
}

// benchPlay plays a session and returns the lateness of each of its frames.
func benchPlay(b *testing.B, conn *websocket.Conn) (late []time.Duration) {
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

// sinceEarliest makes lateness relative to the earliest frame: the time at which the server began
// to play is unknown here.
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

// BenchmarkReadCommand reads messages of 64 KiB that are one object with many fields.
func BenchmarkReadCommand(b *testing.B) {
	for name, begin := range map[string]string{
		"unknown": `{"v":1,"id":1,"do":"state"`,
		"nested":  `{"v":1,"id":1,"do":"load","scenario":{"wheelscope":1`,
	} {
		data := webtest.ManyFields(begin, 64<<10)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				protocol.ReadCommand(data)
			}
		})
	}
}
