//go:build !race

// Long tests of one request at a time, in which the race detector finds nothing; see the Makefile.

package web

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

// Seeking to m gives the same result from every position.
func TestSeekDoesNotDependOnWhereFrom(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=crowded-slot")
		defer c.close()
		until := c.hello.Scenario.Until
		rnd := rand.New(rand.NewPCG(7, 1))
		fresh := map[string][]any{}
		for range testkit.Pick(10, 60) {
			where := fmt.Sprintf(`"tick":%d`, rnd.Int64N(until+1))
			if rnd.IntN(2) == 0 {
				where = fmt.Sprintf(`"seq":%d`, rnd.Int64N(c.timeline.Events+1))
			}
			c.must(`"do":"seek",` + where)
			got := c.picture()
			if want, ok := fresh[where]; ok && !reflect.DeepEqual(got, want) {
				t.Fatalf("seek %s differs", where)
			}
			fresh[where] = got
			c.must(`"do":"seek"`)
			c.must(`"do":"seek",` + where)
			if !reflect.DeepEqual(got, c.picture()) {
				t.Fatalf("seek %s is another thing from before anything", where)
			}
			c.must(`"do":"step","by":"event","n":1`) // a delta can follow it
			c.checkAgainstState()
		}
	})
}
