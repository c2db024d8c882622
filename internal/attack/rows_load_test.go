//go:build linux

package attack

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// timersMax is the maximum number of timers of a scenario.
const timersMax = 1 << 21

// lanesOf returns n equal lanes as JSON.
func lanesOf(n int, fields string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"id":"l%d",%s}`, i, fields))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// scenarioOf returns a scenario; a different name makes a different scenario.
func scenarioOf(name string, until int64, lanes, workload string) string {
	return fmt.Sprintf(`{"wheelscope":1,"name":%q,"until":%d,"lanes":%s,"workload":%s}`, name, until, lanes, workload)
}

const wheel4x64 = `"algorithm":"hierarchical","slots":64,"levels":4`

// groupOf returns a workload with one generated group.
func groupOf(count int, arrivals string, longest int64) string {
	return fmt.Sprintf(`{"generate":[{"prefix":"t","seed":1,"count":%d,"arrivals":%s,"delay":{"dist":"uniform","min":1,"max":%d}}]}`, count, arrivals, longest)
}

// Arrivals of generated timers: all at one tick, or spread over about a thousand ticks.
const (
	atOnce = `{"dist":"constant","value":0}`
	spread = `{"dist":"poisson","rate":"2000/tick"}`
)

// millions returns a scenario with n timers in one lane.
func millions(name, arrivals string, n int) string {
	return scenarioOf(name, 1_010_000, lanesOf(1, wheel4x64), groupOf(n, arrivals, 1_000_000))
}

// findSlot searches for a crowded slot of a lane whose slots are numbered by the second since 1970.
func findSlot(c *trial) {
	for _, name := range []string{"redis-worker-dies", "redis-scan-missed", "redis-callback-fails", "redis-same-key", "redis-delete-ahead", "redis-wrong-minute", "redis-time-zone"} {
		if k := c.socket("/ws?scenario=" + name); k != nil {
			c.ask(k, `"do":"find","what":"slot","n":1,"over":1`)
			c.ask(k, `"do":"find","what":"slot","n":-1,"over":1`)
		}
	}
}

// lanesOfMillions schedules two million timers at one tick in each of 24 lanes, and seeks.
func lanesOfMillions(c *trial) {
	scenario := scenarioOf("lanes", 1_000_001, lanesOf(24, wheel4x64), groupOf(timersMax, atOnce, 1_000_000))
	if k, err := c.load(scenario); err == nil {
		c.wantTickRefused(k, 1)
		c.wantTickRefused(k, 1_000_000)
	}
}

// wantTickRefused seeks to a tick that is not computed, because an earlier one has too many events. The seek must be
// refused for that reason, unless the pass takes so long that it is acknowledged first.
func (c *trial) wantTickRefused(k *client, tick int) {
	began := time.Now()
	err := c.ask(k, fmt.Sprintf(`"do":"seek","tick":%d`, tick))
	switch {
	case err == nil && time.Since(began) < cursor.SeekAnswerMax/2, err != nil && outcomeOf(err) == refused && !strings.Contains(err.Error(), "events"):
		c.t.Errorf("seek to tick %d: %v, want a refusal that names the events of a tick", tick, err)
	}
}

// manySlots loads many scenarios with nearly the maximum number of slots.
func manySlots(c *trial) {
	each(27, func(i int) {
		lanes := lanesOf(15, `"algorithm":"simple","slots":65535`)
		c.load(scenarioOf(fmt.Sprint("slots", i), 65535, lanes, groupOf(10, atOnce, 65000)))
	})
}

// endlessFirstPasses loads scenarios whose first passes have billions of events, while other users
// open scenarios.
func endlessFirstPasses(c *trial) {
	began := time.Now()
	each(4, func(i int) {
		c.load(scenarioOf(fmt.Sprint("pass", i), 2_600_000, lanesOf(24, `"algorithm":"heap"`), everyTick(100)))
	})
	c.others()
	c.linger(began)
}

// everyTick returns a workload with n timers that fire every tick.
func everyTick(n int) string {
	var ops []string
	for i := range n {
		ops = append(ops, fmt.Sprintf(`{"at":0,"op":"schedule","timer":"t%d","delay":1,"every":1}`, i))
	}
	return `{"ops":[` + strings.Join(ops, ",") + `]}`
}

// manyPlans loads many scenarios of two million timers concurrently.
func manyPlans(c *trial) {
	each(40, func(i int) {
		c.load(strings.Replace(millions(fmt.Sprint("plan", i), spread, timersMax), `"seed":1`, fmt.Sprintf(`"seed":%d`, i+1), 1))
	})
	c.importLong()
}

// importLong sends files of nearly 16 MB, the maximum size of a scenario, concurrently.
func (c *trial) importLong() {
	const bytesMax = 16<<20 - 1<<10
	var ops strings.Builder
	for i := 0; ops.Len() < bytesMax; i++ {
		if i > 0 {
			ops.WriteString(",\n")
		}
		fmt.Fprintf(&ops, `{"at":%d,"op":"schedule","timer":"t%d","delay":"1h"}`, i, i)
	}
	each(4, func(i int) {
		text := scenarioOf(fmt.Sprint("long", i), 5_000_000, lanesOf(1, `"algorithm":"heap"`), `{"ops":[`+ops.String()+`]}`)
		if res, err := c.request(c.ctx, "POST", "/api/import?name=long.json", strings.NewReader(text)); err == nil {
			res.Body.Close()
		}
	})
}

// findInMillions searches a run of two million timers in many sessions.
func findInMillions(c *trial) {
	first, err := c.load(millions("find", spread, timersMax))
	if err != nil {
		return
	}
	began := time.Now()
	each(25, func(i int) {
		k := c.session()
		if k == nil || c.ask(k, fmt.Sprintf(`"do":"load","run":%q`, first.run)) != nil {
			return
		}
		c.ask(k, fmt.Sprintf(`"do":"find","what":"timer","n":1,"timer":"t%d"`, timersMax-1-i))
		go k.drain()
	})
	c.linger(began)
}

// seekPastTick moves to a tick in which four lanes each schedule two million timers, and to the tick before it.
func seekPastTick(c *trial) {
	arrivals := `{"dist":"constant","value":5}`
	k, err := c.load(scenarioOf("tick", 1_010_000, lanesOf(4, wheel4x64), groupOf(timersMax, arrivals, 1_000_000)))
	if err != nil {
		return
	}
	began := time.Now()
	if c.ask(k, `"do":"seek","tick":4`) != nil {
		return
	}
	for _, tick := range []int{6, 5, 1000} {
		c.wantTickRefused(k, tick)
	}
	c.ask(k, `"do":"step","by":"step","n":-1`)
	c.linger(began)
}

// heldKeys sends commands at the rate of a held key, from many sessions.
func heldKeys(c *trial) {
	const sessions, every = 20, time.Second / 30
	each(sessions, func(i int) {
		k := c.socket("/ws?scenario=hundred-thousand&t=30000")
		if k == nil {
			return
		}
		var mu sync.Mutex
		sent := map[int]time.Time{}
		read := make(chan struct{})
		go func() {
			defer close(read)
			for {
				message, err := k.next()
				if err != nil {
					return
				}
				ack, refusal := k.note(message)
				mu.Lock()
				if at, ok := sent[ack]; ok {
					c.note("a held key", time.Since(at), refusal)
					delete(sent, ack)
				}
				mu.Unlock()
			}
		}()
		ctx, cancel := c.during()
		defer cancel()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for n := 0; ctx.Err() == nil; n++ {
			<-tick.C
			mu.Lock()
			id, err := k.command(heldCommand(i, n))
			sent[id] = time.Now()
			mu.Unlock()
			if err != nil {
				break
			}
		}
		c.awaitAll(k, &mu, sent, read)
	})
}

// heldCommand returns the n-th command of a session: a third of the sessions seek, a third search
// and a third step back.
func heldCommand(session, n int) string {
	switch session % 3 {
	case 0:
		return fmt.Sprintf(`"do":"seek","tick":%d`, 59000-n*7919%58000)
	case 1:
		return `"do":"find","what":"expire","n":1`
	}
	return `"do":"step","by":"tick","n":-1`
}

// awaitAll waits until every command is acknowledged, at most answerMax, and records those that are
// not.
func (c *trial) awaitAll(k *client, mu *sync.Mutex, sent map[int]time.Time, read <-chan struct{}) {
	for until := time.Now().Add(answerMax); time.Now().Before(until); time.Sleep(sampleEvery) {
		mu.Lock()
		left := len(sent)
		mu.Unlock()
		select {
		case <-read:
			until = time.Now()
		default:
		}
		if left == 0 {
			break
		}
	}
	k.close()
	<-read
	for range sent {
		c.note("a held key", answerMax, errNoAnswer)
	}
}
