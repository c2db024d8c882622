package engine

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// handlePage is the number of handles in a page, which takes 8 kB. Since most ids are used in order, a copy that is written
// to copies few pages, so they may be large; the garbage collector reads a pointer to each page in every checkpoint.
const handlePage = 1024

// handles holds the handles of a lane's timers by timer id, in pages. Copies share a page until one of them
// writes to it. Since most ids are used in order, the engines and checkpoints of a run share most pages.
type handles struct {
	size  int             // number that is greater than all ids
	pages [][]wheel.Timer // each of up to handlePage handles; those not in a page are zero
	own   []bool          // whether each page belongs to this copy only and may be written
}

// resize makes the table hold ids below n.
func (h *handles) resize(n int) {
	pages := (n + handlePage - 1) / handlePage
	h.pages = append(h.pages[:min(len(h.pages), pages)], make([][]wheel.Timer, max(0, pages-len(h.pages)))...)
	h.own = append(h.own[:min(len(h.own), pages)], make([]bool, max(0, pages-len(h.own)))...)
	h.size = n
}

// bytes returns the memory that the table would take if it shared no page, in bytes.
func (h *handles) bytes() int64 { return int64(h.size) * handleBytes }

// handleBytes is the size of a handle in bytes.
const handleBytes = 8

// tableBytes returns the memory of the table without its pages, in bytes.
func (h *handles) tableBytes() int64 { return int64(len(h.pages)) * 25 }

// writtenBytes returns the memory of the pages written since the last copy was made, which belong to this table only, in
// bytes.
func (h *handles) writtenBytes() (n int64) {
	for p, own := range h.own {
		if own {
			n += int64(len(h.pages[p])) * handleBytes
		}
	}
	return n
}

func (h *handles) at(id uint32) wheel.Timer {
	if page := h.pages[id/handlePage]; id%handlePage < uint32(len(page)) {
		return page[id%handlePage]
	}
	return wheel.Timer{}
}

func (h *handles) set(id uint32, t wheel.Timer) {
	p, k := id/handlePage, id%handlePage
	if !h.own[p] || k >= uint32(len(h.pages[p])) {
		page := make([]wheel.Timer, min(handlePage, h.size-int(p)*handlePage))
		copy(page, h.pages[p])
		h.pages[p], h.own[p] = page, true
	}
	h.pages[p][k] = t
}

// clone returns a copy, which shares all pages with h from then on. It does not write to h if h has not been
// written since it was cloned, so that goroutines may clone a checkpoint at the same time.
func (h *handles) clone() handles {
	if slices.Contains(h.own, true) {
		clear(h.own)
	}
	return handles{h.size, slices.Clone(h.pages), make([]bool, len(h.own))}
}
