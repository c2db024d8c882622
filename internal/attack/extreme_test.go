//go:build linux

package attack

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// extremeScenario is a scenario near the limits: many lanes, a distant end, stalls,
// equal arrivals.
func extremeScenario(rng *rand.Rand) []byte {
	algorithms := []string{`"algorithm":"simple","slots":64,"overflow":"list"`, `"algorithm":"rounds","slots":8`, wheel4x64, `"algorithm":"heap"`, `"algorithm":"list"`,
		`"algorithm":"hashed-sorted","slots":65536`, `"algorithm":"tokio"`, `"algorithm":"linux"`, `"algorithm":"linux-classic"`, `"algorithm":"kafka","slots":20`, `"algorithm":"netty","slots":512`, `"algorithm":"calendar"`, `"algorithm":"redis"`}
	until := int64(1) << rng.IntN(61)
	var lanes []string
	for i := range 1 + rng.IntN(24) {
		lanes = append(lanes, fmt.Sprintf(`{"id":"l%d",%s}`, i, algorithms[rng.IntN(len(algorithms))]))
	}
	ops := []string{fmt.Sprintf(`{"at":0,"op":"schedule","timer":"x","delay":%d}`, rng.Int64N(until)+1)}
	if rng.IntN(2) == 0 {
		ops = append(ops, fmt.Sprintf(`{"at":0,"op":"stall","for":%d}`, rng.Int64N(until)+1))
	}
	if rng.IntN(2) == 0 {
		ops = append(ops, fmt.Sprintf(`{"at":0,"op":"schedule","timer":"r","delay":1,"every":%d,"times":%d}`, 1+rng.IntN(9), 1+rng.IntN(1<<20)))
	}
	generate := fmt.Sprintf(`{"prefix":"g","seed":%d,"count":%d,"arrivals":%s,"delay":{"dist":"uniform","min":0,"max":%d}}`,
		rng.IntN(1000), 1<<rng.IntN(22), []string{atOnce, spread}[rng.IntN(2)], 1+rng.Int64N(min(until, 1<<40)))
	return fmt.Appendf(nil, `{"wheelscope":1,"name":"x%d","until":%d,"lanes":[%s],"workload":{"ops":[%s],"generate":[%s]}}`,
		rng.Int64(), until, strings.Join(lanes, ","), strings.Join(ops, ","), generate)
}
