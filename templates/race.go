package templates

import (
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// Race is the page that shows what structures cost as the number of timers grows.
type Race struct {
	Page
	Numbers []int     // numbers of pending timers, in ascending order
	At      int       // index in Numbers of the number that is shown
	Rows    []RaceRow // structures
}

// RaceRow is a structure.
type RaceRow struct {
	Name   string      `json:"name"`
	Points []RacePoint `json:"points"` // by index in Race.Numbers; fewer if the structure cannot hold more timers
	Cut    string      `json:"cut"`    // why there are fewer: "slots" or "timers"
}

// RacePoint is what a structure costs with a number of timers, in units of work.
type RacePoint struct {
	Slots    int     `json:"slots"`
	Bytes    int64   `json:"bytes"`
	Schedule float64 `json:"schedule"`
	Cancel   float64 `json:"cancel"`
	Tick     float64 `json:"tick"`
	Worst    int64   `json:"worst"`
}

// raceColumns are the columns with bars, which are also the fields of a RacePoint in JSON.
var raceColumns = []string{"schedule", "cancel", "tick"}

// of returns the value of a column.
func (p *RacePoint) of(column string) float64 {
	switch column {
	case "schedule":
		return p.Schedule
	case "cancel":
		return p.Cancel
	}
	return p.Tick
}

// point returns the figures of the row at the shown number of timers, or nil if it cannot hold so many.
func (r *RaceRow) point(at int) *RacePoint {
	if at >= len(r.Points) {
		return nil
	}
	return &r.Points[at]
}

// raceDecades are the numbers of timers below the slider.
var raceDecades = []int{10, 100, 1000, 10_000, 100_000}

// raceTexts returns the texts that the script of the page needs.
func raceTexts(all Texts) Texts {
	some := Texts{}
	for key, text := range all {
		if strings.HasPrefix(key, "race.") || strings.HasPrefix(key, "player.") || strings.HasPrefix(key, "pane.") {
			some[key] = text
		}
	}
	return some
}

// raceData is the data for the script of the page.
func (r *Race) raceData() any {
	return map[string]any{"numbers": r.Numbers, "rows": r.Rows, "at": r.At, "base": r.Base, "lang": r.Lang}
}

// raceAddress returns the URL of the page for n timers.
func (r *Race) raceAddress(n int, lang string) string {
	return r.Link("/race?n=" + strconv.Itoa(n) + "&lang=" + lang)
}

// raceFigure returns a number of units with at most one decimal.
func raceFigure(x float64) string {
	if x < 10 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return grouped(int64(math.Round(x)))
}

// grouped returns n with commas between groups of three digits.
func grouped(n int64) string { return humanize.Comma(n) }
