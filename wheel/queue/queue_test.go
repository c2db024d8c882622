package queue

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// item is an entry of the model. Its place in the heap is at, which is -1 if the entry is late or has ended.
type item struct {
	value  int
	due    wheel.Tick
	at     int
	handle Handle
}

type items []*item

func (h items) Len() int           { return len(h) }
func (h items) Less(i, j int) bool { return h[i].due < h[j].due }
func (h items) Swap(i, j int)      { h[i], h[j] = h[j], h[i]; h[i].at, h[j].at = i, j }
func (h *items) Push(x any)        { x.(*item).at = len(*h); *h = append(*h, x.(*item)) }
func (h *items) Pop() any {
	last := (*h)[len(*h)-1]
	last.at = -1
	*h = (*h)[:len(*h)-1]
	return last
}

// model drives a queue and a model of it with operations from data.
type model struct {
	t              *testing.T
	data           []byte
	q              *Queue[int]
	heap           items
	late, lateNext []*item // of the current Advance and of the next
	all            []*item
	live           map[int]*item
}

func (m *model) byte() int {
	if len(m.data) == 0 {
		return 0
	}
	b := m.data[0]
	m.data = m.data[1:]
	return int(b)
}

// tick returns a tick around Now: in the past, close by, or far away.
func (m *model) tick() wheel.Tick {
	b := m.byte()
	if b == 255 {
		return math.MaxInt64
	}
	return m.q.Now() + wheel.Tick(b%16-3)<<(b/16*2%30)
}

// atEnd reports whether the clock of the queue has reached its end, where every entry is due.
func (m *model) atEnd() bool { return m.q.Now()-m.q.start == wheel.TickMax }

func (m *model) put(x *item, due wheel.Tick) {
	if end := m.q.start + wheel.TickMax; end > m.q.start {
		due = min(due, end)
	}
	if x.due = due; due <= m.q.Now() || m.atEnd() {
		m.lateNext = append(m.lateNext, x)
	} else {
		heap.Push(&m.heap, x)
	}
}

func (m *model) drop(x *item) {
	if x.at >= 0 {
		heap.Remove(&m.heap, x.at)
	}
	same := func(y *item) bool { return y == x }
	m.late, m.lateNext = slices.DeleteFunc(m.late, same), slices.DeleteFunc(m.lateNext, same)
}

// change performs one operation on an entry.
func (m *model) change() {
	kind, due := m.byte(), m.tick()
	if kind%4 < 2 || len(m.all) == 0 {
		x := &item{value: len(m.all), at: -1, handle: m.q.Add(due, len(m.all))}
		m.all, m.live[x.value] = append(m.all, x), x
		m.put(x, due)
		return
	}
	x := m.all[(m.byte()<<8+m.byte())%len(m.all)]
	if kind%8 >= 4 {
		x = m.all[max(0, len(m.all)-1-m.byte()%8)]
	}
	_, live := m.live[x.value]
	if kind%4 == 2 {
		if got := m.q.Remove(x.handle); got != live {
			m.t.Fatalf("Remove of %d: %v, want %v", x.value, got, live)
		}
		if live {
			delete(m.live, x.value)
			m.drop(x)
		}
		return
	}
	if got := m.q.Reset(x.handle, due); got != live {
		m.t.Fatalf("Reset of %d: %v, want %v", x.value, got, live)
	}
	if live {
		m.drop(x)
		m.put(x, due)
	}
}

// advance moves the clock, changes entries during the iteration, and breaks off at times.
func (m *model) advance(to wheel.Tick) {
	began := m.q.Now()
	m.late, m.lateNext = append(m.late, m.lateNext...), nil
	steps, ended := 1+m.byte()%40, true
	for due, value := range m.q.Advance(to) {
		x := m.live[value]
		switch {
		case x == nil || x.due != due:
			m.t.Fatalf("%d due %d was yielded, want %+v", value, due, x)
		case len(m.late) > 0 && m.late[0] == x:
		case len(m.late) > 0 && due > began || x.at < 0 || m.heap[0].due != due || m.q.Now() != due || due > max(to, began):
			m.t.Fatalf("%d due %d was yielded at %d on the way to %d; %d late, the first of the heap is due %d", value, due, m.q.Now(), to, len(m.late), m.heap[0].due)
		}
		delete(m.live, value)
		m.drop(x)
		for range m.byte() % 4 {
			m.change()
		}
		if steps--; steps == 0 {
			ended = false
			break
		}
	}
	if ended && (len(m.late) > 0 || len(m.heap) > 0 && m.heap[0].due <= max(to, began)) {
		m.t.Fatalf("%d late entries were not yielded, nor those due %d", len(m.late), m.heap[0].due)
	}
	if want := max(to, began); ended && m.q.Now() != want && !m.atEnd() {
		m.t.Fatalf("Now is %d, want %d", m.q.Now(), want)
	}
}

// check compares what the queue says about itself.
func (m *model) check() {
	if m.q.Len() != len(m.live) {
		m.t.Fatalf("%d entries, want %d", m.q.Len(), len(m.live))
	}
	next, ok := m.q.Next()
	want := m.q.Now()
	if len(m.late)+len(m.lateNext) == 0 && len(m.heap) > 0 {
		want = m.heap[0].due
	}
	if ok != (len(m.live) > 0) || ok && (next < m.q.Now() || next > want) {
		m.t.Fatalf("Next is %d, %v, want %d at most; %d entries", next, ok, want, len(m.live))
	}
	if err := m.q.wheel.(wheel.Observable).Check(); err != nil {
		m.t.Fatal(err)
	}
}

func drive(t *testing.T, data []byte) {
	starts := []wheel.Tick{0, 1_700_000_000_000, -70, math.MinInt64, math.MaxInt64 - 5000}
	m := &model{t: t, data: data, live: map[int]*item{}}
	m.q = New[int](starts[m.byte()%len(starts)])
	for len(m.data) > 0 {
		switch b := m.byte(); {
		case b < 200:
			m.change()
		case b < 250:
			m.advance(m.tick())
		case b < 253:
			due := m.tick()
			for range 300 { // more than are taken out of the wheel at once
				x := &item{value: len(m.all), at: -1, handle: m.q.Add(due, len(m.all))}
				m.all, m.live[x.value] = append(m.all, x), x
				m.put(x, due)
			}
		default:
			m.advance(math.MaxInt64)
		}
		m.check()
	}
	for len(m.live) > 0 {
		m.advance(math.MaxInt64)
	}
	m.check()
	if len(m.q.pages) != 1 {
		t.Fatalf("an empty queue has %d pages", len(m.q.pages))
	}
}

// A queue agrees with container/heap under random operations, of which some happen during an iteration that may break
// off.
func TestModel(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
		data := make([]byte, 3000)
		rnd.Read(data)
		data[0] = byte(seed)
		for i := range data {
			if data[i] >= 253 && seed%3 != 0 { // seldom runs to the end of time, after which all is late
				data[i] = 128
			}
		}
		drive(t, data)
	}
}

func FuzzQueue(f *testing.F) {
	f.Add([]byte{0, 10, 0, 20, 210, 40, 3, 1, 2, 7, 251, 22, 220, 60, 39, 0, 0, 0, 3, 255})
	f.Fuzz(func(t *testing.T, data []byte) { drive(t, data[:min(len(data), 4000)]) })
}

func collect(q *Queue[string], to wheel.Tick) (values []string) {
	for _, v := range q.Advance(to) {
		values = append(values, v)
	}
	return values
}

func TestBreakLeavesTheRest(t *testing.T) {
	q := New[string](0)
	for _, v := range []string{"a", "b", "c"} {
		q.Add(5, v)
	}
	q.Add(9, "d")
	var got []string
	for range 4 {
		for due, v := range q.Advance(20) {
			if q.Now() != due {
				t.Errorf("Now is %d at the entry due %d", q.Now(), due)
			}
			got = append(got, v)
			break
		}
	}
	if !slices.Equal(got, []string{"a", "b", "c", "d"}) || q.Now() != 9 {
		t.Errorf("%q, now %d", got, q.Now())
	}
	for range q.Advance(20) {
		t.Error("an entry too many")
	}
	if q.Now() != 20 {
		t.Errorf("now %d", q.Now())
	}
}

// What a loop does to entries of the same tick that it has not seen yet.
func TestChangesDuringIteration(t *testing.T) {
	q := New[string](0)
	q.Add(5, "first")
	removed, later, soon, again := q.Add(5, "removed"), q.Add(5, "later"), q.Add(5, "soon"), q.Add(5, "again")
	q.Add(5, "last")
	var got []string
	for due, v := range q.Advance(10) {
		got = append(got, v)
		if v == "first" {
			if !q.Remove(removed) || q.Remove(removed) || !q.Reset(later, 11) || !q.Reset(soon, 7) || !q.Reset(again, due) {
				t.Error("an entry that was not yielded yet has ended")
			}
			q.Add(due, "late")
			q.Add(6, "added")
		}
	}
	if want := []string{"first", "last", "added", "soon"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := collect(q, 10), []string{"again", "late"}; !slices.Equal(got, want) {
		t.Errorf("then %q, want %q", got, want)
	}
	if got, want := collect(q, 11), []string{"later"}; !slices.Equal(got, want) || q.Remove(later) || q.Reset(later, 20) {
		t.Errorf("then %q, want %q", got, want)
	}
}

// A loop that adds entries that are due already ends.
func TestLoopEnds(t *testing.T) {
	q := New[string](0)
	q.Add(1, "x")
	n := 0
	for due, v := range q.Advance(3) {
		n++
		q.Add(due, v)
	}
	if n != 1 || q.Len() != 1 || q.Now() != 3 {
		t.Errorf("%d values, %d left, now %d", n, q.Len(), q.Now())
	}
}

// A loop within a loop takes what is left.
func TestLoopWithinLoop(t *testing.T) {
	q := New[string](0)
	q.Add(1, "x")
	q.Add(1, "y")
	q.Add(3, "z")
	n := 0
	for range q.Advance(2) {
		n++
		if got := collect(q, 4); len(got) != 2 {
			t.Errorf("%q", got)
		}
	}
	if n != 1 || q.Len() != 0 || q.Now() != 4 {
		t.Errorf("%d values, %d left, now %d", n, q.Len(), q.Now())
	}
}

func TestFull(t *testing.T) {
	q := New[string](0)
	h := q.Add(5, "x")
	q.live += wheel.LiveMax - 1
	if h := q.Add(6, "y"); h != (Handle{}) || q.Remove(h) || q.Reset(h, 5) {
		t.Error("a full queue has added an entry")
	}
	if q.live--; !q.Remove(h) {
		t.Error("an entry of a full queue is gone")
	}
}

// An empty queue has given back its memory, and handles of its former entries stay invalid.
func TestMemoryIsGivenBack(t *testing.T) {
	memory := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	q := New[[]byte](0)
	before := memory()
	const n = 200_000
	handles := make([]Handle, n)
	for i := range handles {
		handles[i] = q.Add(wheel.Tick(i%1000+1), make([]byte, 1))
	}
	full := memory()
	for range q.Advance(1000) {
	}
	empty := memory() - uint64(len(handles)*16)
	if full < before+n*60 || empty > before+100_000 {
		t.Errorf("%d bytes, full %d, empty again %d", before, full, empty)
	}
	for i := range handles {
		q.Add(2000, nil)
		if q.Remove(handles[i]) {
			t.Fatalf("handle %d of an entry that was yielded is valid", i)
		}
	}
}

// Once a queue has grown, its methods do not allocate.
func TestNoAllocations(t *testing.T) {
	q := New[int](0)
	for i := range 10_000 {
		q.Add(1<<40+wheel.Tick(i), i)
	}
	var now wheel.Tick
	round := func() {
		h := q.Add(now+100, 1)
		for i := range 300 {
			q.Add(now+1+wheel.Tick(i%7), i)
		}
		q.Reset(h, now+200)
		q.Remove(h)
		q.Add(now, 1)
		now += 10
		for range q.Advance(now) {
		}
	}
	for range 1000 {
		round()
	}
	if n := testing.AllocsPerRun(100, round); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
