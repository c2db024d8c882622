package engine

import (
	"fmt"
	"strings"
	"testing"
)

const shardsMax = 64 // of a wheel

// The shards of any wheel are spread evenly over masters with equal ranges of slots, and
// single-shard wheels are spread by their names.
func TestTagsSpread(t *testing.T) {
	for _, name := range []string{"wheel", "w", "orders", "a-b.c_d", strings.Repeat("n", 64)} {
		for count := 1; count <= shardsMax; count++ {
			list := Prefixes(name, count)
			for _, masters := range []int{count, 3} {
				if masters > count || masters == 3 && count%3 != 0 {
					continue
				}
				perNode := make([]int, masters)
				for _, p := range list {
					perNode[slotOf(p+":tasks")*masters/slots]++
				}
				for _, n := range perNode {
					if n != count/masters {
						t.Fatalf("%q, %d shards: %v on %d masters", name, count, perNode, masters)
					}
				}
			}
		}
	}
	perNode := make([]int, 3)
	for i := range 300 {
		perNode[slotOf(Prefixes(fmt.Sprint("wheel", i), 1)[0])*3/slots]++
	}
	for _, n := range perNode {
		if n < 70 || n > 130 {
			t.Errorf("300 wheels of one shard: %v on 3 masters", perNode)
		}
	}
}

// Tags are part of the format: every program must compute the same ones. The slots are those of
// Redis.
func TestTagsStay(t *testing.T) {
	for want, got := range map[string]string{
		"wheel{wheel.1.0.43}":       Prefixes("wheel", 1)[0],
		"wheel{wheel.4.3.35}":       Prefixes("wheel", 4)[3],
		"orders{orders.64.17.1757}": Prefixes("orders", 64)[17],
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for key, want := range map[string]int{"123456789": 12739, "foo": 12182, "x{foo}y": 12182, "{}x": slotOf("{}x")} {
		if got := slotOf(key); got != want {
			t.Errorf("slot of %q: %d, want %d", key, got, want)
		}
	}
}

// slotOf returns the hash slot of a key (Redis Cluster specification, "Hash tags").
func slotOf(key string) int {
	if _, rest, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(rest, "}"); ok && tag != "" {
			key = tag
		}
	}
	return int(crc16(0, key) % slots)
}
