package protocol

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// namesProgram returns a program with n timers, t0 …, and one whose name needs escaping.
func namesProgram(t *testing.T, n int) *program.Program {
	t.Helper()
	var ops []string
	for i := range n {
		ops = append(ops, fmt.Sprintf(`{"at":0,"op":"schedule","timer":"t%d","delay":1}`, i))
	}
	ops = append(ops, `{"at":0,"op":"schedule","timer":"\"\\ \u0001<b>\u2028定时器","delay":1}`)
	p, err := program.Load([]byte(`{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[` + strings.Join(ops, ",") + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func listed(t *testing.T, n *NameTable) []any {
	t.Helper()
	return reread[[]any](t, slices.Concat([]byte{'['}, n.List, []byte{']'}))
}

// A name is sent once, with its due tick if that is known.
func TestNamesAreSentOnce(t *testing.T) {
	n := NewNameTable(namesProgram(t, 3))
	n.Open()
	n.Mention(1, 7, true)
	n.Mention(3, 9, false)
	n.Mention(1, 7, true)
	if got := listed(t, &n); !reflect.DeepEqual(got, []any{1.0, "t0", 7.0, 3.0, "t2", nil}) {
		t.Errorf("%v", got)
	}
	n.Open()
	n.Mention(3, 9, true)
	n.Mention(2, -4, true)
	if got := listed(t, &n); !reflect.DeepEqual(got, []any{2.0, "t1", -4.0}) {
		t.Errorf("the next message has %v", got)
	}
	n.Forget()
	n.Open()
	n.Mention(1, 7, true)
	if got := listed(t, &n); len(got) != 3 {
		t.Errorf("after all was forgotten %v", got)
	}
}

// Every id has its name, across words of the bit set; an event without a timer, or with an id
// outside the workload, has none.
func TestNamesOfEveryTimer(t *testing.T) {
	const timers = 200
	n := NewNameTable(namesProgram(t, timers-1))
	n.Open()
	for _, id := range []uint32{0, 1 << 20, 1<<32 - 1} {
		n.Mention(id, 1, true)
	}
	if len(n.List) != 0 {
		t.Errorf("names are %s", n.List)
	}
	for id := uint32(1); id <= timers; id++ {
		n.Mention(id, 1, true)
	}
	if got := listed(t, &n); len(got) != 3*timers {
		t.Errorf("%d of %d names", len(got)/3, timers)
	}
}

func TestNamesAreEscaped(t *testing.T) {
	p := namesProgram(t, 0)
	n := NewNameTable(p)
	n.Open()
	n.Mention(1, 1, true)
	if got := listed(t, &n); got[1] != "\"\\ \x01<b>\u2028定时器" || got[1] != p.Name(1) {
		t.Errorf("%q, the name is %q", got[1], p.Name(1))
	}
}
