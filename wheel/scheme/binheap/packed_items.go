package binheap

import "github.com/wheelscope/wheelscope/wheel/internal/core"

// packedItems is a compact copy of the items of a heap. Their due ticks are those of the nodes.
type packedItems struct{ ids, orders core.PackedInts }

// packItems returns a packed copy of items.
func packItems(items []item) *packedItems {
	ids, orders := make([]uint32, len(items)), make([]uint64, len(items))
	for k := range items {
		ids[k], orders[k] = items[k].id, items[k].order
	}
	return &packedItems{core.PackInts(ids), core.PackInts(orders)}
}

// unpack returns the items of a heap whose nodes are in a.
func (p *packedItems) unpack(a *core.Arena) []item {
	items := takeItems(p.ids.Len())[:p.ids.Len()]
	for k := range items {
		id := uint32(p.ids.At(k))
		items[k] = item{a.At(id).Due, p.orders.At(k), id}
	}
	return items
}

// bytes returns the memory of p, which may be nil, in bytes.
func (p *packedItems) bytes() int64 {
	if p == nil {
		return 0
	}
	return p.ids.Bytes() + p.orders.Bytes()
}
