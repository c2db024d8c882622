package engine

import (
	"maps"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// Counting far slots allocates nothing for those between, records each change once and keeps
// no empty slot.
func TestSlotCountsOfFarSlots(t *testing.T) {
	const far = 1_695_484_790 // seconds since 1970
	s := &wheel.State{Places: []wheel.Place{{Level: 0, Slot: 7, Count: 1}, {Level: 0, Slot: far, Count: 2}}}
	var c SlotCounts
	c.Reset(s, true)
	l := &c.levels[0]
	if n := len(l.dense); n > 1024 {
		t.Fatalf("%d slots are allocated for two", n)
	}
	leave := wheel.Event{Kind: wheel.KindExpire, FromLevel: 0, FromSlot: far}
	c.Fold(&leave)
	c.Fold(&leave)
	if !slices.Equal(l.changed, []uint32{far}) || c.Count(0, far) != 0 || c.Count(0, 7) != 1 || len(l.far) != 0 {
		t.Errorf("changed %v, counts %d and %d, %d far slots; want one change to 0 beside 1", l.changed, c.Count(0, far), c.Count(0, 7), len(l.far))
	}
	c.ClearChanged()
	if len(l.farMark) != 0 || len(l.changed) != 0 {
		t.Errorf("changes after ClearChanged: %v, %v", l.farMark, l.changed)
	}
	enter := wheel.Event{Kind: wheel.KindPlace, FromLevel: wheel.NoLevel, ToLevel: 0, ToSlot: far}
	if n := c.Fold(&enter); n != 1 || c.Count(0, far) != 1 || len(l.changed) != 1 {
		t.Errorf("Fold returned %d, the slot that is filled again contains %d, changed %v", n, c.Count(0, far), l.changed)
	}
}

// A swap exchanges a far and a near slot, and both are recorded as changed.
func TestSlotCountsSwap(t *testing.T) {
	const far = slotsDense + 3
	var c SlotCounts
	c.Reset(&wheel.State{Places: []wheel.Place{{Level: 0, Slot: far, Count: 1}}}, true)
	c.Fold(&wheel.Event{Kind: wheel.KindMove, FromLevel: 0, FromSlot: far, ToLevel: 0, ToSlot: 2})
	got := map[uint32]int32{}
	c.All(func(_ int8, slot uint32, n int32) { got[slot] = n })
	if !maps.Equal(got, map[uint32]int32{2: 1}) {
		t.Errorf("counts %v, want one timer in slot 2", got)
	}
	c.Changed(func(_ int8, slots []uint32) {
		if !slices.Equal(slots, []uint32{far, 2}) {
			t.Errorf("changed %v", slots)
		}
	})
}

// After a Reset the counts are those of the new state alone, and no slot has changed.
func TestSlotCountsReset(t *testing.T) {
	const far = slotsDense + 3
	var used, fresh SlotCounts
	used.Reset(&wheel.State{Places: []wheel.Place{{Level: 0, Slot: 9, Count: 4}, {Level: 1, Slot: far, Count: 2}}}, true)
	used.Fold(&wheel.Event{Kind: wheel.KindExpire, FromLevel: 0, FromSlot: 9})
	used.Fold(&wheel.Event{Kind: wheel.KindExpire, FromLevel: 1, FromSlot: far})
	s := &wheel.State{Places: []wheel.Place{{Level: 0, Slot: 2, Count: 1}, {Level: 1, Slot: 0, Count: 3}}}
	used.Reset(s, true)
	fresh.Reset(s, true)
	got, want := allCounts(&used), allCounts(&fresh)
	if !maps.Equal(got, want) || len(want) != 2 {
		t.Errorf("%v, want %v", got, want)
	}
	used.Changed(func(level int8, slots []uint32) { t.Errorf("slots %v of level %d have changed", slots, level) })
}

func allCounts(c *SlotCounts) map[[2]int64]int32 {
	all := map[[2]int64]int32{}
	c.All(func(level int8, slot uint32, n int32) { all[[2]int64{int64(level), int64(slot)}] = n })
	return all
}
