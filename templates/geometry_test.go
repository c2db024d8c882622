package templates

import (
	"math"
	"testing"
)

// angleOf returns the angle of a point around the centre, in turns from the top.
func angleOf(p point) float64 {
	turn := (math.Atan2(p.Y-centre, p.X-centre) + math.Pi/2) / (2 * math.Pi)
	return math.Mod(turn+1, 1)
}

func radiusOf(p point) float64 { return math.Hypot(p.X-centre, p.Y-centre) }

// ringOf returns the ring of a level of a wheel whose levels have equally many slots.
func ringOf(level, levels, slots int) ringShape {
	return ringShapes([]Level{{Level: 0, Slots: slots, Width: 1}, {Level: 1, Slots: slots, Width: 1}, {Level: 2, Slots: slots, Width: 1}, {Level: 3, Slots: slots, Width: 1}}, levels)[level]
}

func TestDotsStayInTheirSlot(t *testing.T) {
	for _, slots := range []int{1, 3, 8, 12, 48} {
		for _, count := range []int{1, 2, 7, 30} {
			r := ringOf(1, 3, slots)
			for slot := range slots {
				for i := range count {
					p := r.spot(slot, i, count)
					if d := radiusOf(p); d-p.R < r.inner-1 || d+p.R > r.outer+1 {
						t.Fatalf("%d slots, timer %d of %d: radius %g is not in %g … %g", slots, i, count, d, r.inner, r.outer)
					}
					away := math.Abs(angleOf(p) - float64(slot)/float64(slots))
					if away = math.Min(away, 1-away); away > 0.5/float64(slots)+1e-9 {
						t.Fatalf("%d slots, timer %d of %d: %g turns from the middle of slot %d", slots, i, count, away, slot)
					}
				}
			}
		}
	}
}

func TestDotsOfASlotDoNotCover(t *testing.T) {
	for _, count := range []int{2, 7, 20, 30} {
		for i := range count {
			for j := range i {
				a, b := ringOf(0, 2, 8).spot(1, i, count), ringOf(0, 2, 8).spot(1, j, count)
				if d := math.Hypot(a.X-b.X, a.Y-b.Y); d < 1.6*a.R {
					t.Fatalf("of %d dots %d and %d lie %g apart, radius %g", count, i, j, d, a.R)
				}
			}
		}
	}
}

// A few timers on a ring of very many slots are drawn large enough to be seen, with their centres
// in their slot, and do not cover other timers of the slot.
func TestFewTimersAreSeenOnAFineRing(t *testing.T) {
	for _, slots := range []int{256, 512, 4096} {
		for _, count := range []int{1, 3, 8} {
			var last point
			for i := range count {
				p := ringOf(0, 2, slots).spot(7, i, count)
				if p.R < 2 {
					t.Errorf("%d slots, timer %d of %d: radius %g", slots, i, count, p.R)
				}
				if away := math.Abs(angleOf(p) - 7/float64(slots)); away > 0.5/float64(slots)+1e-9 {
					t.Errorf("%d slots, timer %d of %d: %g turns from the middle of its slot", slots, i, count, away)
				}
				if d := math.Hypot(p.X-last.X, p.Y-last.Y); i > 0 && d < 1.6*p.R {
					t.Errorf("%d slots, timer %d of %d: %g from the one before, radius %g", slots, i, count, d, p.R)
				}
				last = p
			}
		}
	}
}

func TestFinestLevelIsOutermost(t *testing.T) {
	if outer := ringOf(0, 4, 8).outer; outer != faceRim {
		t.Errorf("level 0 ends at %g", outer)
	}
	for level := 1; level < 4; level++ {
		if outer, inner := ringOf(level, 4, 8).outer, ringOf(level-1, 4, 8).inner; outer != inner {
			t.Errorf("level %d ends at %g, level %d begins at %g", level, outer, level-1, inner)
		}
	}
}

func TestHeapChildrenAreBelow(t *testing.T) {
	for _, arity := range []int{2, 4} {
		for i := 1; i < 100; i++ {
			child, parent := heapSpot(i, 100, arity), heapSpot((i-1)/arity, 100, arity)
			if child.Y <= parent.Y {
				t.Fatalf("arity %d: node %d is not below its parent", arity, i)
			}
		}
		a, b := heapSpot(98, 100, arity), heapSpot(99, 100, arity)
		if a.Y == b.Y && b.X-a.X < b.R {
			t.Errorf("arity %d: neighbours lie %g apart, radius %g", arity, b.X-a.X, b.R)
		}
	}
}

func TestListIsInOrder(t *testing.T) {
	for _, count := range []int{1, 16, 17, 400, 2000} {
		last := point{Y: -1}
		for i := range count {
			p := listSpot(i, count)
			if p.Y < last.Y || p.Y == last.Y && p.X <= last.X || p.X > 400 || p.Y > 400 {
				t.Fatalf("timer %d of %d is at %v after %v", i, count, p, last)
			}
			last = p
		}
	}
}

func TestLabelsAreRound(t *testing.T) {
	want := map[int][]int{8: {0, 1, 2, 3, 4, 5, 6, 7}, 60: {0, 5, 10, 15}, 64: {0, 8, 16}, 100: {0, 10, 20}, 4096: {0, 512, 1536, 2048, 2560, 3584}}
	for slots, first := range want {
		got := ringOf(0, 1, slots).labels(0)
		if len(got) > 24 {
			t.Errorf("%d slots have %d labels", slots, len(got))
		}
		for i, slot := range first {
			if got[i].Slot != slot {
				t.Errorf("%d slots: label %d is %d, want %d", slots, i, got[i].Slot, slot)
			}
		}
	}
}

func TestTextFitsTheHole(t *testing.T) {
	if got := clockSize(46, "t = 3"); got != "23.15" {
		t.Errorf("a short time is %s", got)
	}
	if long, short := clockSize(46, "t = 1234567"), clockSize(46, "t = 3"); len(long) > len(short) && long >= short {
		t.Errorf("a long time is %s, a short one %s", long, short)
	}
}
