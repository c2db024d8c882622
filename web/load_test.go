package web

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gorilla/websocket"
)

// loadEnv names the variable with a loadPlan for a process that plays clients: see TestMain.
const loadEnv = "WHEELSCOPE_LOAD_PLAN"

// loadPlan describes what a load generator does. It runs in its own process, so that the operating
// system divides the processors between the server and its clients.
type loadPlan struct {
	Addr    string
	Players int     // sessions that play heartbeats
	Viewers int     // additional sockets of the first of them
	Keys    int     // sessions of hundred-thousand with a held key
	Key     string  // the effect of the key: see keyCommand
	Seconds float64 // to measure
}

const (
	loadRate    = 60                   // ticks a second of the players
	loadKeyRate = 30                   // commands a second of a held key
	loadWarmUp  = 3 * time.Second      // before frames are counted
	loadTickMin = 100                  // in heartbeats players start here
	loadTicks   = 2000                 // or up to so many ticks later
	loadWait    = 30 * time.Second     // for a message, or to open everything
	keyTicks    = 60000                // range of seeks in hundred-thousand
	loadStagger = 5 * time.Millisecond // between the starts of two sessions
)

// loadResult is what a load generator measured.
type loadResult struct {
	P99      float64 // gap between two frames of a player or viewer, in ms
	Max      float64
	FPS      float64 // of a player or viewer on average
	LeastFPS float64 // of the slowest one
	MBps     float64 // received by all
	States   float64 // a second, of all players and viewers
	Acks     float64 // a second, of all keys
	KeyP99   float64 // from a command to its ack, in ms
}

// loadMeter collects measurements of the sockets of a plan while it is on.
type loadMeter struct {
	from, to time.Time
	bytes    atomic.Int64
	states   atomic.Int64

	mu     sync.Mutex
	gaps   []time.Duration
	acks   []time.Duration
	frames []int
}

// runLoad is the main function of a process that plays clients.
func runLoad(plan string) int {
	var p loadPlan
	err := json.Unmarshal([]byte(plan), &p)
	if err == nil {
		var r loadResult
		if r, err = p.run(); err == nil {
			err = json.MarshalWrite(os.Stdout, r)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (p *loadPlan) run() (loadResult, error) {
	players := make([]*websocket.Conn, 0, p.Players+p.Viewers)
	var session string
	for i := range p.Players {
		c, id, err := loadOpen(p.Addr, fmt.Sprintf("scenario=heartbeats&t=%d", loadTickMin+i*997%loadTicks))
		if err != nil {
			return loadResult{}, err
		}
		defer c.Close()
		players, session = append(players, c), id
	}
	for range p.Viewers {
		c, _, err := loadOpen(p.Addr, "session="+session)
		if err != nil {
			return loadResult{}, err
		}
		defer c.Close()
		players = append(players, c)
	}
	keys := make([]*websocket.Conn, p.Keys)
	for i := range keys {
		c, _, err := loadOpen(p.Addr, fmt.Sprintf("scenario=hundred-thousand&t=%d", 100+i*997%keyTicks))
		if err != nil {
			return loadResult{}, err
		}
		defer c.Close()
		keys[i] = c
	}
	now := time.Now()
	m := &loadMeter{from: now.Add(loadWarmUp + time.Duration(p.Players)*loadStagger)}
	m.to = m.from.Add(time.Duration(p.Seconds * float64(time.Second)))
	var all sync.WaitGroup
	for i, c := range players {
		all.Go(func() {
			if i < p.Players {
				time.Sleep(time.Duration(i) * loadStagger)
				c.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"v":1,"id":1,"do":"play","rate":%d}`, loadRate))
			}
			m.watch(c)
		})
	}
	for i, c := range keys {
		all.Go(func() { m.hold(c, p.Key, uint64(i)) })
	}
	all.Wait()
	return m.result(p), nil
}

// loadOpen opens a socket and reads up to its first state. It also returns the session's id.
func loadOpen(addr, query string) (*websocket.Conn, string, error) {
	d := websocket.Dialer{ReadBufferSize: 16 << 10}
	c, _, err := d.Dial("ws://"+addr+"/ws?"+query, nil)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", query, err)
	}
	c.SetReadDeadline(time.Now().Add(loadWait))
	id := ""
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", query, err)
		}
		if _, after, ok := bytes.Cut(data[:min(len(data), 200)], []byte(`"session":"`)); ok {
			id = string(after[:24])
		}
		if kindOf(data) == "state" {
			return c, id, nil
		}
	}
}

// kindOf returns the kind of a message from its beginning.
func kindOf(head []byte) string {
	_, after, _ := bytes.Cut(head[:min(len(head), 48)], []byte(`"kind":"`))
	kind, _, _ := bytes.Cut(after, []byte(`"`))
	return string(kind)
}

// next reads the whole next message and returns its first bytes.
func (m *loadMeter) next(c *websocket.Conn, head []byte) ([]byte, error) {
	_, r, err := c.NextReader()
	if err != nil {
		return nil, err
	}
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	rest, err := io.Copy(io.Discard, r)
	if now := time.Now(); now.After(m.from) && now.Before(m.to) {
		m.bytes.Add(int64(n) + rest)
	}
	return head[:n], err
}

// watch counts the frames of a socket until the time is over.
func (m *loadMeter) watch(c *websocket.Conn) {
	var gaps []time.Duration
	last := m.from
	c.SetReadDeadline(m.to)
	head := make([]byte, 128)
	for {
		data, err := m.next(c, head)
		now := time.Now()
		if err != nil || now.After(m.to) {
			break
		}
		kind := kindOf(data)
		if now.Before(m.from) || kind != "delta" && kind != "state" {
			continue
		}
		if kind == "state" {
			m.states.Add(1)
		}
		gaps = append(gaps, now.Sub(last))
		last = now
	}
	gaps = append(gaps, m.to.Sub(last)) // no frame followed: that is a gap as well
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gaps = append(m.gaps, gaps...)
	m.frames = append(m.frames, len(gaps)-1)
}

// hold sends the commands of a held key until the time is over, and reads the answers.
func (m *loadMeter) hold(c *websocket.Conn, key string, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	sent := map[int64]time.Time{}
	var writer sync.WaitGroup
	writer.Go(func() {
		tick := time.NewTicker(time.Second / loadKeyRate)
		defer tick.Stop()
		for id := int64(1); time.Now().Before(m.to); id++ {
			<-tick.C
			mu.Lock()
			sent[id] = time.Now()
			mu.Unlock()
			c.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"v":1,"id":%d,"do":%s}`, id, keyCommand(key, random)))
		}
	})
	c.SetReadDeadline(m.to)
	head := make([]byte, 128)
	var acks []time.Duration
	for {
		data, err := m.next(c, head)
		if err != nil {
			break
		}
		if kindOf(data) != "ack" || time.Now().Before(m.from) {
			continue
		}
		var id int64
		_, after, _ := bytes.Cut(data, []byte(`"ack":`))
		fmt.Sscanf(string(after), "%d", &id)
		mu.Lock()
		acks = append(acks, time.Since(sent[id]))
		mu.Unlock()
	}
	writer.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.acks = append(m.acks, acks...)
}

// keyCommand returns the command of a held key, from `do` on.
func keyCommand(key string, random *rand.Rand) string {
	switch key {
	case "seek":
		return fmt.Sprintf(`"seek","tick":%d`, random.IntN(keyTicks))
	case "find":
		return `"find","what":"cascade","n":1`
	case "back":
		return `"step","by":"tick","n":-1`
	case "event":
		return `"step","by":"event","n":1`
	}
	return `"step","by":"tick","n":1`
}

func (m *loadMeter) result(p *loadPlan) loadResult {
	sec := p.Seconds
	r := loadResult{MBps: float64(m.bytes.Load()) / 1e6 / sec, States: float64(m.states.Load()) / sec, Acks: float64(len(m.acks)) / sec}
	r.P99, r.Max = percentile99(m.gaps)
	r.KeyP99, _ = percentile99(m.acks)
	total := 0
	for _, n := range m.frames {
		total += n
	}
	r.FPS = float64(total) / float64(len(m.frames)) / sec
	r.LeastFPS = float64(slices.Min(m.frames)) / sec
	return r
}

// percentile99 returns the 99th percentile and the maximum, in milliseconds.
func percentile99(list []time.Duration) (p99, most float64) {
	if len(list) == 0 {
		return 0, 0
	}
	slices.Sort(list)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return ms(list[len(list)*99/100]), ms(list[len(list)-1])
}
