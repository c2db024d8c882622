package core

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// arenaModel records the live handles, and some of those that have ended.
type arenaModel struct {
	*testing.T
	arena Arena
	live  []wheel.Timer
	ended []wheel.Timer
}

func (m *arenaModel) alloc() {
	i, n := m.arena.alloc()
	n.Key = uint32(len(m.live))
	m.live = append(m.live, wheel.NewTimer(i, n.Gen))
}

func (m *arenaModel) release(k int) {
	t := m.live[k]
	n := m.arena.Lookup(t)
	if n == nil {
		m.Fatalf("%v is live and not found", t)
	}
	m.arena.Release(t.Index(), n)
	last := len(m.live) - 1
	m.live[k] = m.live[last]
	m.live = m.live[:last]
	if t.Index()%16 == 0 {
		m.ended = append(m.ended, t)
	}
}

// check verifies the arena and every handle.
func (m *arenaModel) check() {
	m.Helper()
	if m.arena.Live != len(m.live) {
		m.Fatalf("%d are live, want %d", m.arena.Live, len(m.live))
	}
	seen := map[uint32]bool{}
	for _, t := range m.live {
		if m.arena.Lookup(t) == nil || seen[t.Index()] {
			m.Fatalf("%v is live and not found, or its node is another's", t)
		}
		seen[t.Index()] = true
	}
	for _, t := range m.ended {
		if m.arena.Lookup(t) != nil {
			m.Fatalf("%v has ended and names a timer", t)
		}
	}
	if err := (&Checker{Arena: &m.arena, Seen: len(m.live)}).Done(); err != nil {
		m.Fatal(err)
	}
	if zeroPage != [pageSize]Node{} {
		m.Fatal("a node of a released page was written to")
	}
}

// repack packs b, whose nodes are those of the arena, and replaces the arena by a copy of b.
func (m *arenaModel) repack(b *Base) {
	m.Helper()
	want, bytes := m.arena, b.Arena.Bytes()
	b.PackCopies(true)
	packed := b.Copy()
	if packed.Arena.Bytes() > bytes {
		m.Fatalf("the packed nodes take %d bytes, %d before", packed.Arena.Bytes(), bytes)
	}
	m.arena = packed.Arena.clone(false)
	for number, page := range want.pages {
		got, used := m.arena.pages[number], want.rooms[number].used
		if released(got) != released(page) || len(got) != len(page) || !slices.Equal(got[:used], page[:used]) {
			m.Fatalf("page %d of %d differs after packing", number, len(want.pages))
		}
	}
}

// Pages are released and created while timers start and end. No handle of an ended timer refers
// to another, no node is handed out twice, and a copy is independent.
func TestCompactKeepsHandles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := &arenaModel{T: t}
	most := 0
	for round := range 60 {
		grow := r.IntN(2) == 0
		for range r.IntN(3 * pageSize) {
			switch {
			case grow || len(m.live) == 0:
				m.alloc()
			default:
				m.release(r.IntN(len(m.live)))
			}
			if r.IntN(200) == 0 {
				m.arena.Compact()
			}
		}
		if round%4 == 3 {
			for len(m.live) > r.IntN(50) {
				m.release(len(m.live) - 1)
			}
		}
		if round%3 == 0 {
			for m.arena.Compact() {
			}
		}
		empty := 0
		for _, page := range m.arena.pages {
			if released(page) {
				empty++
			}
		}
		most = max(most, empty)
		m.check()
		if round%5 == 0 {
			spent := Base{Arena: m.arena}
			m.arena = m.arena.clone(false)
			if round%2 == 0 {
				m.repack(&spent)
			}
			m.check()
		}
	}
	if most < 2 {
		t.Errorf("%d pages were released at most: the test is of no use", most)
	}
}
