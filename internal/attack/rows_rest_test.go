//go:build linux

package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
)

// randomSeed makes the random scenarios the same in every run.
const randomSeed = 21

// randomScenarios loads random extreme scenarios, a few at a time, and moves in those
// that are not refused.
func randomScenarios(c *trial) {
	const sessions = 4
	n := 60
	if *full {
		n = 2000
	}
	texts := make(chan []byte)
	go func() {
		defer close(texts)
		rng := rand.New(rand.NewPCG(randomSeed, 0))
		for range n {
			select {
			case texts <- extremeScenario(rng):
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

// messageBytesMax is the size above which a scenario is sent by POST /api/import.
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
