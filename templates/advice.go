package templates

import (
	"fmt"
	"math"
)

// Advice is a recommendation of a timer structure as a page of its own.
type Advice struct {
	Title   string   // name of the workload
	Words   []string // the advice; the first sentence is the recommendation
	Machine string   // machine and date; "" if nothing was timed
	Lines   []string // statements of Go
	Columns []string
	Rows    [][]string // the first column names the structure
	Points  []AdvicePoint
}

// AdvicePoint is a structure in the diagram of time and memory.
type AdvicePoint struct {
	Name         string
	NS           float64 // nanoseconds of an operation, more than 0
	Bytes        float64 // memory, more than 0
	Timed, Front bool
	Best         bool
}

// Size of the diagram in user units, and the margins for its axes.
const (
	adviceWide, adviceHigh                           = 720.0, 360.0
	adviceLeft, adviceRight, adviceTop, adviceBottom = 76.0, 32.0, 16.0, 44.0
)

// advicePlot converts values to places in the diagram, whose axes are logarithmic and end at powers of ten.
type advicePlot struct{ x0, x1, y0, y1 float64 }

func (a *Advice) plot() advicePlot {
	p := advicePlot{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, q := range a.Points {
		x, y := math.Log10(q.Bytes), math.Log10(q.NS)
		p.x0, p.x1, p.y0, p.y1 = min(p.x0, math.Floor(x)), max(p.x1, math.Ceil(x)), min(p.y0, math.Floor(y)), max(p.y1, math.Ceil(y))
	}
	p.x1, p.y1 = max(p.x1, p.x0+1), max(p.y1, p.y0+1)
	return p
}

func (p advicePlot) x(log float64) string {
	return fmt.Sprintf("%.1f", adviceLeft+(adviceWide-adviceLeft-adviceRight)*(log-p.x0)/(p.x1-p.x0))
}

func (p advicePlot) y(log float64) string {
	return fmt.Sprintf("%.1f", adviceHigh-adviceBottom-(adviceHigh-adviceTop-adviceBottom)*(log-p.y0)/(p.y1-p.y0))
}

// decades returns the exponents from a to b.
func decades(a, b float64) (list []float64) {
	for e := a; e <= b; e++ {
		list = append(list, e)
	}
	return list
}

// adviceBytes and adviceTime label a power of ten.
func adviceBytes(e float64) string {
	return fmt.Sprintf("%.0f %s", math.Pow(10, math.Mod(e, 3)), []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}[min(max(int(e)/3, 0), 6)])
}

func adviceTime(e float64) string { return fmt.Sprintf("%g ns", math.Pow(10, e)) }

// class returns the classes of the point.
func (q *AdvicePoint) class() string {
	c := "model"
	if q.Timed {
		c = "timed"
	}
	if q.Front {
		c += " front"
	}
	if q.Best {
		c += " best"
	}
	return c
}

func (q *AdvicePoint) title() string {
	how := "by the model"
	if q.Timed {
		how = "timed"
	}
	return fmt.Sprintf("%s: %.1f ns %s, %.0f bytes", q.Name, q.NS, how, q.Bytes)
}
