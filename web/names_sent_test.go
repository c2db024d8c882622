package web

import (
	"reflect"
	"testing"

	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// A state that is sent to one socket contains names that the other sockets have not received. These
// names are sent again with the next message that mentions them.
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
