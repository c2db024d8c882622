package templates

import "strconv"

// meanCost formats the mean cost per tick of lane l, from tick 0 to now, with at most two digits after the
// decimal point. It must agree with meanWords in static/js/page/lane-card.js.
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
