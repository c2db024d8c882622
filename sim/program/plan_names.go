package program

import (
	"sort"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// nameTable assigns numbers to the names of timers, so that generated timers do not need strings. The groups are the
// entries of workload.generate in the scenario; timer i of group g has the number base[g]+i. The numbers of names that
// occur only in written operations follow those of the groups.
type nameTable struct {
	groups   []scenario.Group
	base     []uint32
	shared   []bool           // shared[g] is true if an earlier group can generate a name that group g also generates
	byPrefix map[string][]int // for each prefix, the indices of the groups that have it
	written  []string
	number   map[string]uint32 // maps each name in the written slice to its number
	first    uint32            // number of the name written[0]; written[i] has the number first+i
}

func newNameTable(groups []scenario.Group) *nameTable {
	t := &nameTable{groups: groups, byPrefix: map[string][]int{}, number: map[string]uint32{}}
	for i := range groups {
		t.base = append(t.base, t.first)
		t.shared = append(t.shared, t.sharesNames(i))
		t.byPrefix[groups[i].Prefix] = append(t.byPrefix[groups[i].Prefix], i)
		t.first += uint32(groups[i].Count)
	}
	return t
}

// sharesNames reports whether an earlier group of workload.generate can generate a name that group i also generates.
// This is possible if their prefixes are equal, or if one prefix is the other followed by digits.
func (t *nameTable) sharesNames(i int) bool {
	a := t.groups[i].Prefix
	for j := range i {
		b := t.groups[j].Prefix
		if rest, ok := strings.CutPrefix(a, b); ok && digitsOnly(rest) {
			return true
		}
		if rest, ok := strings.CutPrefix(b, a); ok && digitsOnly(rest) {
			return true
		}
	}
	return false
}

func digitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

// key returns the number of name, which it adds to the table if necessary.
func (t *nameTable) key(name string) uint32 {
	n, ok := t.lookup(name)
	if !ok {
		n = t.first + uint32(len(t.written))
		t.number[name] = n
		t.written = append(t.written, name)
	}
	return n
}

// lookup returns the number of name, or false if it is not in the table.
func (t *nameTable) lookup(name string) (uint32, bool) {
	if n, ok := t.generated(name); ok {
		return n, true
	}
	n, ok := t.number[name]
	return n, ok
}

// generated returns the number that name has in the first group of workload.generate that generates it, or false if
// no group generates it.
func (t *nameTable) generated(name string) (uint32, bool) {
	best, found := uint32(0), -1
	for cut := len(name) - 1; cut >= 0 && name[cut] >= '0' && name[cut] <= '9'; cut-- {
		if len(name)-cut > 1 && name[cut] == '0' {
			continue // an index is written without leading zeros
		}
		index, err := strconv.ParseUint(name[cut:], 10, 32)
		if err != nil {
			break
		}
		for _, g := range t.byPrefix[name[:cut]] {
			if index < uint64(t.groups[g].Count) && (found < 0 || g < found) {
				best, found = t.base[g]+uint32(index), g
			}
		}
	}
	return best, found >= 0
}

// unify gives equal names equal numbers. ops are the operations of a group of workload.generate, whose Target fields
// must be the numbers of timer names. If an earlier group generates the same name, unify sets Target to the number that
// the name has in the first such group. It returns early if pause, which it calls for each operation, returns true.
func (t *nameTable) unify(ops []Planned, pause func() bool) {
	for i := range ops {
		if pause() {
			return
		}
		if n, ok := t.generated(t.text(ops[i].Target)); ok {
			ops[i].Target = n
		}
	}
}

// text returns the name with number n.
func (t *nameTable) text(n uint32) string {
	if n >= t.first {
		return t.written[n-t.first]
	}
	g := sort.Search(len(t.base), func(i int) bool { return t.base[i] > n }) - 1
	return t.groups[g].Prefix + strconv.Itoa(int(n-t.base[g]))
}

// size returns the number of names in the table.
func (t *nameTable) size() int { return int(t.first) + len(t.written) }
