//go:build linux

package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/extreme"
)

// randomSeed makes the random scenarios the same in every run.
const randomSeed = 21

// randomScenarios loads random extreme scenarios, a few at a time, and moves the cursor in those
// that are not refused.
func randomScenarios(c *trial) {
	const sessions = 4
	n := 24
	if *full {
		n = 2000
	}
	texts := make(chan []byte)
	go func() {
		defer close(texts)
		rng := rand.New(rand.NewPCG(randomSeed, 0))
		for range n {
			select {
			case texts <- extreme.Scenario(rng):
			case <-c.ctx.Done():
				return
			}
		}
	}()
	each(sessions, func(int) {
		var k *client
		for text := range texts {
			if k == nil {
				if k = c.session(); k == nil {
					return
				}
			}
			if !c.visit(k, text) {
				k = nil
			}
		}
	})
}

// visit loads a scenario, seeks and searches in it. It reports whether the socket is
// still open.
func (c *trial) visit(k *client, text []byte) bool {
	fields := `"do":"load","scenario":` + string(text)
	if len(text) > messageBytesMax {
		run, err := c.imported(string(text))
		if err != nil {
			return true
		}
		fields = fmt.Sprintf(`"do":"load","run":%q`, run)
	}
	for _, fields := range []string{fields, `"do":"seek","tick":7`, `"do":"step","by":"tick","n":-1`, `"do":"find","what":"expire","n":1`, `"do":"pause"`} {
		err := c.ask(k, fields)
		if refusal := (*ackError)(nil); errors.As(err, &refusal) {
			return true
		}
		if err != nil {
			c.t.Errorf("%s came to %v; the scenario: %.1000s", fields[:min(len(fields), 60)], err, text)
			k.close()
			return false
		}
	}
	return true
}

// messageBytesMax is the size above which a scenario is sent to POST /api/import.
const messageBytesMax = 60 << 10

// imported sends a scenario as a file and returns the digits of its run.
func (c *trial) imported(text string) (string, error) {
	res, err := c.request(c.ctx, http.MethodPost, "/api/import?name=s.json", strings.NewReader(text))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var answer struct{ Run string }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return "", err
	}
	return answer.Run, nil
}

// atMost loads a scenario of size n or, if the server refuses it, of n/2, n/4 and so on. It returns
// nil if the server accepts none.
func (c *trial) atMost(n int64, scenario func(n int64) string) *client {
	k := c.session()
	if k == nil {
		return nil
	}
	for ; n > 0; n /= 2 {
		err := c.ask(k, `"do":"load","scenario":`+scenario(n))
		if err == nil {
			return k
		}
		if refusal := (*ackError)(nil); !errors.As(err, &refusal) {
			return nil
		}
	}
	return nil
}

// withinLimits loads the largest accepted scenarios of several kinds, several of each, and seeks in
// all of them.
func withinLimits(c *trial) {
	began := time.Now()
	kinds := []struct {
		most     int64
		scenario func(name string, n int64) string
	}{
		{timersMax, func(name string, n int64) string {
			return scenarioOf(name, 1_000_001, lanesOf(24, wheel4x64), groupOf(int(n), atOnce, 1_000_000))
		}},
		{65535, func(name string, n int64) string {
			return scenarioOf(name, 65535, lanesOf(15, fmt.Sprintf(`"algorithm":"simple","slots":%d`, n)), groupOf(10, atOnce, max(n-1, 1)))
		}},
		{2_600_000, func(name string, n int64) string {
			return scenarioOf(name, n, lanesOf(24, `"algorithm":"heap"`), everyTick(100))
		}},
		{3_000_000_000_000_000_000, func(name string, n int64) string {
			return scenarioOf(name, 4_000_000_000_000_000_000, lanesOf(24, stalledLanes[0]), stallOf(n))
		}},
		{3_000_000_000_000_000_000, func(name string, n int64) string {
			return scenarioOf(name, 4_000_000_000_000_000_000, lanesOf(4, stalledLanes[1]), stallOf(n))
		}},
	}
	each(4*len(kinds), func(i int) {
		kind := kinds[i%len(kinds)]
		k := c.atMost(kind.most, func(n int64) string { return kind.scenario(fmt.Sprint("most", i), n) })
		if k == nil {
			return
		}
		k.command(`"do":"seek","tick":1000`)
		k.command(`"do":"find","what":"expire","n":1`)
		go k.drain()
	})
	c.others()
	c.linger(began)
}
