package binheap

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// packedItems holds the items of a heap in compact form. For each item, waits contains the number of
// ticks from the clock to item.due, orders contains item.order, and ids contains item.id.
type packedItems struct{ waits, orders, ids core.PackedInts }

// packItems returns a compact copy of the items of a heap whose clock is at tick clock.
func packItems(items []item, clock wheel.Tick) *packedItems {
	waits, orders, ids := make([]int64, len(items)), make([]uint64, len(items)), make([]uint32, len(items))
	for k := range items {
		i := &items[k]
		waits[k], orders[k], ids[k] = i.due-clock, i.order, i.id
	}
	return &packedItems{core.PackInts(waits), core.PackInts(orders), core.PackInts(ids)}
}

// unpack returns a copy of the items in p. clock must be the tick that was passed to packItems.
func (p *packedItems) unpack(clock wheel.Tick) []item {
	items := make([]item, p.ids.Len())
	for k := range items {
		items[k] = item{clock + wheel.Tick(p.waits.At(k)), p.orders.At(k), uint32(p.ids.At(k))}
	}
	return items
}

// bytes returns the memory used by p, in bytes. p may be nil.
func (p *packedItems) bytes() int64 {
	if p == nil {
		return 0
	}
	return p.waits.Bytes() + p.orders.Bytes() + p.ids.Bytes()
}
