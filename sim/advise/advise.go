package advise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// Options are the wishes of the user.
type Options struct {
	AcceptLate   time.Duration // how late a timer may fire because of the structure, 0 or more
	MemoryMax    int64         // maximum memory of the structure in bytes; 0 means no limit
	WorstTickMax int64         // maximum units of work in one tick; 0 means no limit
	NoTime       bool          // whether to count only, which gives the same advice on every machine
	// Progress, if not nil, is called with the number of steps done and of all steps known so far, one call at a time.
	Progress func(done, total int)
}

// Numbers of structures.
const (
	shortlistMax = 12   // structures that are timed besides package time
	perAlgorithm = 2    // of one algorithm among them
	alike        = 1.10 // structures within this ratio of the least time are equal
	tenfold      = 10   // factor of the sensitivity
)

// Result is a candidate with what was found out about it. Durations and bytes are those of the sample.
type Result struct {
	Candidate
	Count
	Predicted float64       // nanoseconds of an event by the model
	NS        float64       // nanoseconds of an event as timed; 0 if it was not
	Late      time.Duration // most that a timer is late
	Tenfold   float64       // nanoseconds of an event with ten times the timers, by the model; 0 if unknown
	Front     bool          // whether no other result is better in time, lateness and memory and as good in all
}

// Time returns the nanoseconds of an event: as timed, or else by the model.
func (r *Result) Time() float64 {
	if r.NS > 0 {
		return r.NS
	}
	return r.Predicted
}

// Advice is the result of Advise.
type Advice struct {
	Workload  *Workload
	Options   Options
	Results   []*Result // all that meet the constraints, best first: timed ones, then by the model
	Best      *Result   // the recommendation
	Equal     []*Result // others that are as fast, within alike
	Runner    *Result   // the fastest that is not equal; nil if all are
	Space     int       // number of all candidates
	Counted   int       // number of those counted
	Lock      float64   // nanoseconds that a lock and a clock add to an event in package timer; 0 if not timed
	Timed     bool
	Partial   bool // whether the context ended before all was done
	Latencies Latencies
	Began     time.Time
}

// Advise recommends a structure for w. It counts the candidates in parallel and times the shortlist on one thread, and takes
// up to a minute. If ctx is done before the end, it returns the best so far if there is any, with Partial set, and the error
// of ctx otherwise. If no structure meets the constraints, the error names the nearest one.
func Advise(ctx context.Context, w *Workload, o Options) (*Advice, error) {
	c := NewCounting(w, o)
	a := &c.advice
	if !o.NoTime {
		a.measure(ctx)
	}
	if err := c.Count(ctx, math.MaxInt64); err != nil && a.Counted == 0 {
		return nil, err
	} else if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if a.Results = a.filter(c.counted); len(a.Results) == 0 {
		return nil, a.unmet(c.counted)
	}
	a.order()
	if !o.NoTime && ctx.Err() == nil {
		a.time(ctx, c.samples)
	}
	a.order()
	a.choose()
	if ctx.Err() == nil {
		a.sensitivity(ctx, c.samples)
	}
	a.Partial = ctx.Err() != nil
	return a, nil
}

// measure measures the latencies of this machine on a locked thread.
func (a *Advice) measure(ctx context.Context) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a.Latencies = measureLatencies(func() bool { return ctx.Err() != nil })
	a.Lock = lockTime()
}

// Counting counts the candidates for a workload, in parts. It is not safe for concurrent use.
type Counting struct {
	advice   Advice
	list     []*Result           // the candidates that can meet AcceptLate, in the order in which they are counted
	next     int                 // index of the first that is not counted
	counted  []*Result           // those that are, in the order of list
	samples  map[int64]*Workload // the workload in ticks of each width
	rounding map[int64]int64     // for each width, the ticks by which due ticks are rounded up
}

// NewCounting returns a Counting that has not begun.
func NewCounting(w *Workload, o Options) *Counting {
	c := &Counting{advice: Advice{Workload: w, Options: o, Space: len(Space()), Latencies: typical, Began: time.Now()}}
	c.candidates()
	return c
}

// candidates sets the candidates. A structure with ticks of n base ticks rounds a due tick up by as much as n − 1. The first
// of each algorithm come first, so that a part of the list has some of all.
func (c *Counting) candidates() {
	w := c.advice.Workload
	c.samples, c.rounding = map[int64]*Workload{}, map[int64]int64{}
	for _, n := range widths {
		if time.Duration(n-1)*w.Tick > c.advice.Options.AcceptLate {
			break
		}
		if wide, up, ok := w.widened(n); ok {
			c.samples[n], c.rounding[n] = wide, up
		}
	}
	rank := map[*Result]int{}
	of := map[string]int{}
	for _, k := range Space() {
		if wide := c.samples[k.Width]; wide != nil && (k.Algorithm != FIFO || wide.delays <= fifoDelaysMax) {
			r := &Result{Candidate: k}
			rank[r] = of[k.Algorithm]
			of[k.Algorithm]++
			c.list = append(c.list, r)
		}
	}
	slices.SortStableFunc(c.list, func(x, y *Result) int { return cmp.Compare(rank[x], rank[y]) })
}

// Done returns the number of candidates that are counted, and of all.
func (c *Counting) Done() (counted, all int) { return c.next, len(c.list) }

// Count counts candidates in parallel until all are counted or the given time is over. If ctx is done, it returns its error,
// and keeps those that are counted.
func (c *Counting) Count(ctx context.Context, span time.Duration) error {
	began := time.Now()
	const part = 4 // candidates between two looks at the clock
	for c.next < len(c.list) && ctx.Err() == nil && time.Since(began) < span {
		n := min(part, len(c.list)-c.next)
		errs := make([]error, n)
		list := c.list[c.next : c.next+n]
		var mu sync.Mutex
		done := 0
		fairqueue.Parallel(ctx, n, func(ctx context.Context, i int) {
			if errs[i] = c.count(ctx, list[i]); errs[i] != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; c.advice.Options.Progress != nil {
				c.advice.Options.Progress(c.next+done, len(c.list)+c.advice.timings())
			}
		})
		for i, r := range list {
			if errs[i] == nil {
				c.counted = append(c.counted, r)
			} else if ctx.Err() == nil {
				return errs[i]
			}
		}
		c.next += n
	}
	c.advice.Counted = len(c.counted)
	return ctx.Err()
}

// count counts one candidate.
func (c *Counting) count(ctx context.Context, r *Result) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := c.samples[r.Width]
	n, err := counted(ctx, w, &r.Candidate)
	if err != nil {
		return err
	}
	r.Count = *n
	r.Late = time.Duration(r.LateMax*r.Width+c.rounding[r.Width]) * c.advice.Workload.Tick
	r.Predicted = c.advice.Latencies.predicted(r.Algorithm, n, w)
	return nil
}

// Advice returns the advice by the model from those that are counted so far. If none of them meets the constraints, the error
// names the nearest one.
func (c *Counting) Advice() (*Advice, error) {
	a := c.advice
	if a.Results = a.filter(c.counted); len(a.Results) == 0 {
		return nil, a.unmet(c.counted)
	}
	a.order()
	a.choose()
	return &a, nil
}

// timings returns the number of replays that are timed.
func (a *Advice) timings() int {
	if a.Options.NoTime {
		return 0
	}
	return (shortlistMax + 1) * repeats
}

// filter returns the results that meet all constraints.
func (a *Advice) filter(all []*Result) (list []*Result) {
	for _, r := range all {
		if r.sound() && a.excess(r) <= 1 {
			list = append(list, r)
		}
	}
	return list
}

// sound reports whether the structure can serve the workload at all.
func (r *Result) sound() bool { return !r.Slow && r.Rejected == 0 && r.EarlyMax == 0 }

// excess returns the greatest ratio by which r exceeds a limit; it is at most 1 if r meets all.
func (a *Advice) excess(r *Result) float64 {
	worst := 0.0
	for _, l := range a.limits(r) {
		if l.most > 0 || l.always {
			worst = max(worst, float64(l.value)/float64(max(l.most, 1)))
			if l.most == 0 && l.value > 0 {
				worst = math.Inf(1)
			}
		}
	}
	return worst
}

// limit is a constraint and the value of a result.
type limit struct {
	name, value0, most0 string
	value, most         int64
	always              bool // whether a limit of 0 counts
}

func (a *Advice) limits(r *Result) []limit {
	o := &a.Options
	return []limit{
		{"--accept-late", r.Late.String(), o.AcceptLate.String(), int64(r.Late), int64(o.AcceptLate), true},
		{"--memory-max", FormatBytes(r.Bytes), FormatBytes(o.MemoryMax), r.Bytes, o.MemoryMax, false},
		{"--worst-tick-max", fmt.Sprintf("%d units in one tick", r.WorstTick), fmt.Sprint(o.WorstTickMax), r.WorstTick, o.WorstTickMax, false},
	}
}

// unmet returns an error that names the structure that is nearest to the constraints, and by how much it misses them.
func (a *Advice) unmet(all []*Result) error {
	var nearest *Result
	for _, r := range all {
		if r.sound() && (nearest == nil || a.excess(r) < a.excess(nearest)) {
			nearest = r
		}
	}
	if nearest == nil {
		return fmt.Errorf("none of %d structures can run this workload; expected timers in reach of one of them", len(all))
	}
	for _, l := range a.limits(nearest) {
		if (l.most > 0 || l.always) && l.value > l.most {
			by := ""
			if l.most > 0 {
				by = fmt.Sprintf(", %.3g times as much", float64(l.value)/float64(l.most))
			}
			return fmt.Errorf("%s %s: no structure meets it; the nearest is %s with %s%s", l.name, l.most0, nearest.Name(a.Workload.Tick), l.value0, by)
		}
	}
	return nil
}

// order sorts the results: timed ones first, then by time, and by name where times are equal.
func (a *Advice) order() {
	slices.SortFunc(a.Results, func(x, y *Result) int {
		switch {
		case (x.NS > 0) != (y.NS > 0):
			return cmp.Compare(y.NS, x.NS)
		}
		return cmp.Or(cmp.Compare(x.Time(), y.Time()), cmp.Compare(x.Late, y.Late), cmp.Compare(x.Bytes, y.Bytes), cmp.Compare(x.Name(a.Workload.Tick), y.Name(a.Workload.Tick)))
	})
}

// shortlist returns the results that are timed: the best by the model, with at most perAlgorithm of one algorithm, and
// package time. The results must be in order.
func (a *Advice) shortlist() (list []*Result) {
	of := map[string]int{}
	var own *Result
	for _, r := range a.Results {
		switch {
		case r.Algorithm == PackageTime:
			own = r
		case len(list) < shortlistMax && of[r.Algorithm] < perAlgorithm:
			of[r.Algorithm]++
			list = append(list, r)
		}
	}
	if own != nil {
		list = append(list, own)
	}
	return list
}

// time times the shortlist.
func (a *Advice) time(ctx context.Context, samples map[int64]*Workload) {
	list := a.shortlist()
	used := map[int64]*Workload{}
	for _, r := range list {
		used[r.Width] = samples[r.Width]
	}
	done := 0
	timeAll(ctx, list, used, repeats, func() {
		if done++; a.Options.Progress != nil {
			a.Options.Progress(a.Counted+done, a.Counted+len(list)*repeats)
		}
	})
	a.Timed = a.Results[0].NS > 0 || slices.ContainsFunc(a.Results, func(r *Result) bool { return r.NS > 0 })
}

// choose sets Best, Equal, Runner and Result.Front. Results must be in order. Among equals the least late is best, then
// the one with the least memory.
func (a *Advice) choose() {
	rated := a.Results
	if a.Timed {
		rated = rated[:slices.IndexFunc(append(slices.Clone(rated), &Result{}), func(r *Result) bool { return r.NS == 0 })]
	}
	least := rated[0].Time()
	for _, r := range rated {
		switch {
		case r.Time() > alike*least:
			if a.Runner == nil {
				a.Runner = r
			}
		case a.Best == nil || cmp.Or(cmp.Compare(r.Late, a.Best.Late), cmp.Compare(r.Bytes, a.Best.Bytes)) < 0:
			a.Best = r
		}
	}
	for _, r := range rated {
		if r != a.Best && r.Time() <= alike*least {
			a.Equal = append(a.Equal, r)
		}
	}
	for _, r := range rated {
		r.Front = !slices.ContainsFunc(rated, func(q *Result) bool {
			return q.Time() <= r.Time() && q.Late <= r.Late && q.Bytes <= r.Bytes && (q.Time() < r.Time() || q.Late < r.Late || q.Bytes < r.Bytes)
		})
	}
}

// sensitivity sets Result.Tenfold of the recommendation and the runner-up: the model's ratio between ten times the timers
// and the sample, applied to the time.
func (a *Advice) sensitivity(ctx context.Context, samples map[int64]*Workload) {
	for _, r := range []*Result{a.Best, a.Runner} {
		if r == nil {
			continue
		}
		w, err := samples[r.Width].Scaled(tenfold)
		if err != nil {
			return // too large to say
		}
		n, err := counted(ctx, w, &r.Candidate)
		if err != nil {
			return
		}
		if !n.Slow && n.Rejected == 0 {
			r.Tenfold = r.Time() * a.Latencies.predicted(r.Algorithm, n, w) / r.Predicted
		}
	}
}

// Share returns the part of one core that r takes at the rate of the workload.
func (a *Advice) Share(r *Result) float64 { return r.Time() * a.Workload.Rate() / 1e9 }

// FormatBytes formats a number of bytes with a unit, such as 4.2 MB.
func FormatBytes(n int64) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%d MB", (n+500_000)/1_000_000)
	case n >= 100_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}
