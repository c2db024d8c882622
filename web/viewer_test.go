package web

import (
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"

	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A viewer sees what the driver does and can't send commands.
func TestViewer(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		driver := h.client("/ws")
		defer driver.close()
		driver.must(`"do":"seek","tick":2`)
		viewer := h.client("/ws?session=" + driver.hello.Session)
		defer viewer.close()
		if viewer.hello.Driver || !driver.hello.Driver || viewer.seq != driver.seq {
			t.Fatalf("viewer at seq %d, driver %v", viewer.seq, viewer.hello.Driver)
		}
		for do := range protocol.CommandFields {
			err := viewer.ask(`"do":"` + do + `"`)
			if refused := err != nil && strings.Contains(err.Message, "only the driver"); refused == (do == "state" || do == "events") {
				t.Errorf("viewer's %s: %v", do, err)
			}
		}
		for _, command := range []string{`"do":"step","by":"event","n":1`, `"do":"step","by":"tick","n":1`, `"do":"seek","seq":3`,
			`"do":"op","op":"schedule","timer":"mine","delay":2`, `"do":"lane","remove":"one"`, `"do":"load","scenario":"reach"`} {
			driver.must(command)
			viewer.until(command, func() bool {
				return viewer.hello.Run == driver.hello.Run && viewer.seq == driver.seq && viewer.lanes != nil
			})
			if !reflect.DeepEqual(viewer.picture(), driver.picture()) {
				t.Errorf("%s: the viewer sees another thing", command)
			}
		}
	})
}

// A viewer that joins during playback continues from the state that it gets.
func TestViewerJoinsWhilePlaying(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws?scenario=crowded-slot")
		driver.send(`{"v":1,"id":1,"do":"play","rate":20}`)
		done := make(chan struct{})
		go func() {
			defer close(done)
			driver.until("end", func() bool { return driver.player.End })
		}()
		time.Sleep(1700 * time.Millisecond)
		viewer := h.client("/ws?session=" + driver.hello.Session)
		if !viewer.player.Playing || viewer.seq == 0 {
			t.Errorf("joined at seq %d, playing %v", viewer.seq, viewer.player.Playing)
		}
		viewer.until("end", func() bool { return viewer.player.End && viewer.tick == viewer.hello.Scenario.Until })
		<-done
		if viewer.deltas == 0 || !reflect.DeepEqual(viewer.picture(), driver.picture()) {
			t.Errorf("%d deltas, and the viewer sees another thing at the end", viewer.deltas)
		}
		viewer.close()
		driver.close()
	})
}

// A client that reads slowly misses frames and gets a state. It delays no other client, and its
// last state is right.
func TestSlowClientDelaysNoOther(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws?scenario=heartbeats&t=100")
		slow, _ := h.dial("/ws?session="+driver.hello.Session, nil)
		start := time.Now()
		driver.send(`{"v":1,"id":1,"do":"play","rate":500}`)
		fast := make(chan int)
		go func() {
			late := 0
			for !driver.player.End {
				driver.read()
				due := 100 + int64(time.Since(start).Seconds()*500)
				if driver.tick < due-500/20 && !driver.player.End {
					late++
				}
			}
			fast <- late
		}()
		c := &client{t: t, conn: slow}
		for c.tick != 5500 || c.player.End == false {
			time.Sleep(700 * time.Millisecond)
			c.read()
		}
		if late := <-fast; late > 0 {
			t.Errorf("%d frames of the fast client came late", late)
		}
		if c.states < 3 || c.deltas >= driver.deltas/4 {
			t.Errorf("the slow client had %d states and %d deltas of %d", c.states, c.deltas, driver.deltas)
		}
		if !reflect.DeepEqual(c.picture(), driver.picture()) && reflect.DeepEqual(c.modes(), driver.modes()) {
			t.Error("the slow client sees another thing at the end")
		}
		c.close()
		driver.close()
	})
}

// A client that does not read at all is disconnected by the write deadline.
func TestClientThatNeverReadsIsCut(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		driver := h.client("/ws?scenario=heartbeats&t=100")
		dead, _ := h.dial("/ws?session="+driver.hello.Session, nil)
		defer dead.Close()
		inbox := collect(driver.conn) // the driver reads
		time.Sleep(writeWait + closeWait)
		inbox()
		synctest.Wait()
		if n := len(h.server.sockets.open); n != 1 {
			t.Errorf("%d sockets are left, want the driver's", n)
		}
		driver.conn.Close()
	})
}

// An error leaves the session unchanged, playing or not.
func TestErrorLeavesTheSessionAsItWas(t *testing.T) {
	bad := []string{
		`"do":"fly"`, `"do":"seek","tick":10`, `"do":"seek","seq":45`, `"do":"seek","tick":-1`, `"do":"speed","rate":-1`, `"do":"speed","rate":1e10`, `"do":"speed","rate":0.01`,
		`"do":"speed"`, `"do":"speed","rate":"1"`, `"do":"step","by":"tick"`, `"do":"step","n":1`, `"do":"play","rate":-1`,
		`"do":"op","op":"schedule","timer":"far","delay":1`, `"do":"op","op":"cancel","timer":"nobody"`, `"do":"op","op":"schedule","timer":"x","delay":"1 second"`,
		`"do":"op","op":"schedule","timer":"x","delay":4611686018427387904`, `"do":"op","op":"schedule","timer":"x","delay":1,"times":0,"every":1`,
		`"do":"op","op":"schedule","timer":"x","delay":1,"times":3`, `"do":"op","op":"clock","timer":"x"`, `"do":"op"`, `"do":"op","op":7`,
		`"do":"op","op":"schedule","timer":"` + strings.Repeat("x", 300) + `","delay":1`,
		`"do":"load"`, `"do":"load","scenario":"nope"`, `"do":"load","scenario":7`, `"do":"load","scenario":{}`, `"do":"load","scenario":"reach","tick":10000`,
		`"do":"lane"`, `"do":"lane","add":{},"remove":"one"`, `"do":"lane","add":{"id":"one","algorithm":"heap"}`, `"do":"lane","add":{"algorithm":"magic"}`,
		`"do":"lane","add":7`, `"do":"lane","replace":"one"`, `"do":"lane","with":{}`, `"do":"lane","replace":"nope","with":{"algorithm":"heap"}`, `"do":"lane","remove":"nope"`, `"do":"lane","remove":1`,
	}
	for _, playing := range []bool{false, true} {
		t.Run(fmt.Sprint("playing ", playing), func(t *testing.T) {
			inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
				c := h.client("/ws?t=4")
				defer c.close()
				if playing {
					c.must(`"do":"play","rate":0.1`)
				}
				was, seq, run, player := c.picture(), c.seq, c.hello.Run, c.player
				for _, command := range bad {
					err := c.ask(command)
					if err == nil || err.Message == "" || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
						t.Errorf("%.100s: %v", command, err)
					}
				}
				c.must(`"do":"state"`)
				if c.seq != seq || c.hello.Run != run || c.player.Playing != player.Playing || c.player.Rate != player.Rate || !reflect.DeepEqual(c.picture(), was) {
					t.Errorf("at seq %d of %s, %+v; was %d of %s, %+v", c.seq, c.hello.Run, c.player, seq, run, player)
				}
			})
		})
	}
}

// A scenario loaded as an object can be edited by operations and by removing lanes, except the
// last one.
func TestForkByOperation(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"load","tick":4,"scenario":` + webtest.Small)
		if c.tick != 4 || c.hello.Scenario.Name != "small" || !c.hello.Scenario.Custom {
			t.Fatalf("%+v at tick %d", c.hello.Scenario, c.tick)
		}
		before := c.hello.Run
		c.must(`"do":"op","op":"schedule","timer":"late","delay":20`)
		if c.hello.Run == before || c.tick != 4 || c.hello.Scenario.Until <= 24 {
			t.Errorf("forked to %s at tick %d until %d", c.hello.Run, c.tick, c.hello.Scenario.Until)
		}
		if c.lanes[0].counts[2] != 2 || c.lanes[1].counts[2] != 1 { // beyond the range of both
			t.Errorf("counts %v %v: was the timer refused?", c.lanes[0].counts, c.lanes[1].counts)
		}
		c.must(`"do":"op","op":"cancel","timer":"late"`)
		c.must(`"do":"step","by":"tick","n":1`)
		c.checkAgainstState()
		c.must(`"do":"lane","remove":"one"`)
		if err := c.ask(`"do":"lane","remove":"tower"`); err == nil {
			t.Error("the last lane is gone")
		}
	})
}
