package engine

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// handlePage is the number of handles in a page of the handle table. A page takes 8 kB. Pages can be large because
// timer IDs are mostly used in order, so a copy of the table duplicates only the few pages that it writes to. Large
// pages also reduce the number of pointers that the garbage collector reads in each checkpoint.
const handlePage = 1024

// handles is a table of the handles of a lane's timers by timer ID, divided into pages. Copies share a page
// until one of them writes to it. Because IDs are mostly used in order, the engines and checkpoints of a run
// share most pages.
type handles struct {
	size  int             // all IDs are less than size
	pages [][]wheel.Timer // each page has up to handlePage handles; handles beyond the end of a page are zero
	own   []bool          // own[p] is true if pages[p] was created after the last clone and is therefore not shared
}

// resize sets the size of the table to n, so that it can hold the handles of the IDs 0 to n−1.
func (h *handles) resize(n int) {
	pages := (n + handlePage - 1) / handlePage
	h.pages = append(h.pages[:min(len(h.pages), pages)], make([][]wheel.Timer, max(0, pages-len(h.pages)))...)
	h.own = append(h.own[:min(len(h.own), pages)], make([]bool, max(0, pages-len(h.own)))...)
	h.size = n
}

// bytes returns the memory in bytes that the table would take if it shared no pages with copies.
func (h *handles) bytes() int64 { return int64(h.size) * handleBytes }

// handleBytes is the size of a handle in bytes.
const handleBytes = 8

// copyBytes returns the memory, in bytes, that a copy takes in addition to the original: the table without its pages,
// and one page, since the next handle is set in a page that both have. IDs are given in the order of operations, so all
// copies together have hardly more pages than the table.
func (h *handles) copyBytes() int64 {
	return int64(len(h.pages))*25 + int64(min(h.size, handlePage))*handleBytes
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

// clone returns a copy that shares all pages with h. If no handle has been set since the previous clone, as is
// always the case in a checkpoint, clone does not write to h and may be called concurrently.
func (h *handles) clone() handles {
	if slices.Contains(h.own, true) {
		clear(h.own)
	}
	return handles{h.size, slices.Clone(h.pages), make([]bool, len(h.own))}
}
