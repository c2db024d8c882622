package lane

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// id is the name of the algorithm in scenarios.
const id = "redis"

func init() { algorithms.Register(algorithm()) }

// offset is the maximum number of hours by which a time zone may be ahead of or behind UTC.
const offset = 14

func algorithm() catalog.Algorithm {
	return catalog.Algorithm{
		ID: id, Build: newLane, Coarse: true, TimerBytes: 8 << 10, TimersMax: timersMax,
		Source: "github.com/xiaoxuxiansheng/timewheel 8f0e64b, redis_time_wheel.go; corrected: wheel/rediswheel of this project",
		Parameters: []catalog.Parameter{
			catalog.Choice("as", "published", "corrected"),
			catalog.Choice("body", "own", "same"),
			catalog.Choice("remove", "due", "now"),
			{Name: "zone", Type: catalog.TypeInt, Default: int64(0), Min: -offset, Max: offset},
			instantParameter("dies"),
			instantParameter("fails"),
			instantParameter("mends"),
			instantParameter("lease"),
		},
	}
}

// instantParameter returns the description of an optional parameter whose value is a non-negative number of
// base ticks.
func instantParameter(name string) catalog.Parameter {
	return catalog.Parameter{Name: name, Type: catalog.TypeTick, Min: 0, Max: wheel.TickMax}
}
