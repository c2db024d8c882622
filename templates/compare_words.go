package templates

import "strconv"

// meanCost is what a tick up to now cost a lane in the mean, as cost-bars.js
// writes it: as many decimals as it needs.
func meanCost(l *Lane, now int64) string {
	mean := float64(l.Cost.Total) / float64(now+1)
	switch {
	case mean >= 100:
		return strconv.FormatFloat(mean, 'f', 0, 64)
	case mean >= 10:
		return strconv.FormatFloat(mean, 'f', 1, 64)
	}
	return strconv.FormatFloat(mean, 'f', 2, 64)
}
