package templates

import "github.com/wheelscope/wheelscope/internal/knowledge"

// biasOf returns the direction in which timers of l may miss their due ticks: "late", "early" or "both". It
// returns "exact" if every timer fires at its due tick. It must agree with static/js/page/lane-card.js.
func biasOf(l *Lane) string {
	if l.Exact {
		return "exact"
	}
	if l.Algorithm == "redis" && l.Params["as"] == "corrected" {
		return "late"
	}
	if bias := knowledge.TraitsOf(l.Algorithm).Bias; bias != "" {
		return bias
	}
	migration, moves := l.Params["migration"]
	switch {
	case l.Params["variant"] == "procinc", moves && migration != "full":
		return "both"
	case l.Params["rounding"] == "floor":
		return "early"
	}
	return "late"
}
