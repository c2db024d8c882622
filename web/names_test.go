package web

import (
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/internal/webtest"

	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
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

func listed(t *testing.T, n *nameBook) []any {
	t.Helper()
	return reread[[]any](t, slices.Concat([]byte{'['}, n.list, []byte{']'}))
}

// A name is sent once, with its due tick if that is known.
func TestNamesAreToldOnce(t *testing.T) {
	n := newNameBook(namesProgram(t, 3))
	n.open()
	n.mention(1, 7, true)
	n.mention(3, 9, false)
	n.mention(1, 7, true)
	if got := listed(t, &n); !reflect.DeepEqual(got, []any{1.0, "t0", 7.0, 3.0, "t2", nil}) {
		t.Errorf("%v", got)
	}
	n.open()
	n.mention(3, 9, true)
	n.mention(2, -4, true)
	if got := listed(t, &n); !reflect.DeepEqual(got, []any{2.0, "t1", -4.0}) {
		t.Errorf("the next message has %v", got)
	}
	n.forget()
	n.open()
	n.mention(1, 7, true)
	if got := listed(t, &n); len(got) != 3 {
		t.Errorf("after all was forgotten %v", got)
	}
}

// Every id has its name, across words of the bit set; an event without a timer, or with an id
// outside the workload, has none.
func TestNamesOfEveryTimer(t *testing.T) {
	const timers = 200
	n := newNameBook(namesProgram(t, timers-1))
	n.open()
	for _, id := range []uint32{0, 1 << 20, 1<<32 - 1} {
		n.mention(id, 1, true)
	}
	if len(n.list) != 0 {
		t.Errorf("names are %s", n.list)
	}
	for id := uint32(1); id <= timers; id++ {
		n.mention(id, 1, true)
	}
	if got := listed(t, &n); len(got) != 3*timers {
		t.Errorf("%d of %d names", len(got)/3, timers)
	}
}

func TestNamesAreEscaped(t *testing.T) {
	p := namesProgram(t, 0)
	n := newNameBook(p)
	n.open()
	n.mention(1, 1, true)
	if got := listed(t, &n); got[1] != "\"\\ \x01<b>\u2028定时器" || got[1] != p.Name(1) {
		t.Errorf("%q, the name is %q", got[1], p.Name(1))
	}
}

// A state for one socket has names that the others have not received: they are sent again with the
// next message that mentions them.
func TestNamesAfterAStateForOneSocket(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		driver := h.client("/ws?t=2")
		defer driver.close()
		viewer := h.client("/ws?session=" + driver.hello.Session)
		defer viewer.close()
		viewer.must(`"do":"state"`)
		driver.names = map[uint32]string{} // as if the previous state had sent it none
		driver.must(`"do":"step","by":"tick","n":1`)
		viewer.until("the same place", func() bool { return viewer.seq == driver.seq })
		if !reflect.DeepEqual(viewer.picture(), driver.picture()) {
			t.Error("they see different things")
		}
	})
}
