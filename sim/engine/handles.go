package engine

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// handlePage holds handles of 128 timers, 1 kB.
type handlePage [128]wheel.Timer

// handles holds the handles of a lane's timers by timer id, in pages. Copies share a page until one of them
// writes to it. Since most ids are used in order, the engines and checkpoints of a run share most pages.
type handles struct {
	pages []*handlePage // nil for a page of zero handles
	own   []bool        // whether each page belongs to this copy only and may be written
}

// resize makes the table hold ids below n.
func (h *handles) resize(n int) {
	pages := (n + len(handlePage{}) - 1) / len(handlePage{})
	h.pages = append(h.pages[:min(len(h.pages), pages)], make([]*handlePage, max(0, pages-len(h.pages)))...)
	h.own = append(h.own[:min(len(h.own), pages)], make([]bool, max(0, pages-len(h.own)))...)
}

// bytes returns the memory that the table would take if it shared no page, in bytes.
func (h *handles) bytes() int64 { return int64(len(h.pages)) * int64(len(handlePage{})) * 8 }

func (h *handles) at(id uint32) wheel.Timer {
	n := uint32(len(handlePage{}))
	if page := h.pages[id/n]; page != nil {
		return page[id%n]
	}
	return wheel.Timer{}
}

func (h *handles) set(id uint32, t wheel.Timer) {
	n := uint32(len(handlePage{}))
	p := id / n
	if !h.own[p] {
		page := &handlePage{}
		if h.pages[p] != nil {
			*page = *h.pages[p]
		}
		h.pages[p], h.own[p] = page, true
	}
	h.pages[p][id%n] = t
}

// clone returns a copy, which shares all pages with h from then on. It does not write to h if h has not been
// written since it was cloned, so that goroutines may clone a checkpoint at the same time.
func (h *handles) clone() handles {
	if slices.Contains(h.own, true) {
		clear(h.own)
	}
	return handles{slices.Clone(h.pages), make([]bool, len(h.own))}
}
