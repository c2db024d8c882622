package compare

import (
	"cmp"
	"context"
	"sync"
	"unsafe"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// ChartBucketsMax is the maximum number of buckets into which a Chart divides a run. A bucket is a range of
// ticks. With more buckets, several of them would share a pixel of the drawn chart.
const ChartBucketsMax = 480

// Chart compares the lanes over a complete run. It contains the result of each lane, and a curve
// that shows how the lane changes over time. Ticks are grouped into buckets of equal length.
type Chart struct {
	Bucket  int64 // number of ticks in a bucket; bucket k covers the ticks from k·Bucket to (k+1)·Bucket−1
	Results []engine.LaneResult
	Lanes   []Curve // curve of each lane, in the order of the scenario file
	// PackageTime is the result of the function PackageTime, for callers that show it beside the lanes; NewChart leaves it nil.
	PackageTime *engine.LaneResult
	Spreading   *Spreading // result of SpreadGain, likewise
}

// Curve holds the values of one lane. Each slice has one element per bucket of the Chart. Mean and Worst are the
// average and the highest cost per tick, Live is the number of pending timers at the end of the bucket, and Late
// and Early are the largest numbers of base ticks by which a timer that fired in the bucket was late or early.
type Curve struct {
	Mean                     []float64
	Worst, Live, Late, Early []int64
}

// Bytes returns the approximate memory usage of c in bytes.
func (c *Chart) Bytes() (n int64) {
	n = int64(cap(c.Results)) * int64(unsafe.Sizeof(engine.LaneResult{}))
	for _, l := range c.Lanes {
		n += int64(unsafe.Sizeof(l)) + 8*int64(cap(l.Mean)+cap(l.Worst)+cap(l.Live)+cap(l.Late)+cap(l.Early))
	}
	return n
}

// Lanes runs p up to p.Until and returns the result of each lane, in the order of the scenario file. The arguments and
// errors are those of NewChart.
func Lanes(ctx context.Context, p *program.Program, progress func(tick int64)) ([]engine.LaneResult, error) {
	c, err := NewChart(ctx, p, progress)
	if err != nil {
		return nil, err
	}
	return c.Results, nil
}

// NewChart runs p up to p.Until and returns the chart. It builds no records, runs lanes in parallel, as
// fairqueue.Parallel does, and releases the memory of each lane once the lane has run. It calls progress, which may be
// nil, with the average tick that the lanes have reached, one call at a time. It returns an error if a lane cannot be
// built or run, or if ctx is done.
func NewChart(ctx context.Context, p *program.Program, progress func(tick int64)) (*Chart, error) {
	eng, err := engine.NewEngine(p)
	if err != nil {
		return nil, err
	}
	eng.Measure()
	n := len(eng.Lanes)
	c := &Chart{Bucket: p.Until/ChartBucketsMax + 1, Results: make([]engine.LaneResult, n), Lanes: make([]Curve, n)}
	errs := make([]error, n)
	var mu sync.Mutex
	var sum int64 // of the ticks that the lanes have completed
	passed := func(ticks int64) {
		mu.Lock()
		defer mu.Unlock()
		if sum += ticks; progress != nil {
			progress(sum / int64(n))
		}
	}
	consume(ctx, eng.Lanes, func(ctx context.Context, i int, l *engine.Lane) {
		l.Bind(ctx)
		c.Lanes[i] = (&plotter{lane: l, bucket: c.Bucket, passed: passed}).run(ctx)
		c.Results[i], errs[i] = engine.ResultOf(p, i, l.Stats()), l.Err
	})
	if err := cmp.Or(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	return c, nil
}

// consume calls run with each lane and its index, as fairqueue.Parallel does. It sets the lane's element of lanes to nil
// before the call, so that the memory of the lane can be released after it.
func consume(ctx context.Context, lanes []*engine.Lane, run func(ctx context.Context, i int, l *engine.Lane)) {
	fairqueue.Parallel(ctx, len(lanes), func(ctx context.Context, i int) {
		l := lanes[i]
		lanes[i] = nil
		run(ctx, i, l)
	})
}

// plotter computes the curve of one lane.
type plotter struct {
	lane   *engine.Lane
	passed func(ticks int64) // called with the number of ticks in each completed bucket
	bucket int64
	curve  Curve
	worst  int64 // highest cost of a tick in the current bucket so far
	worked int   // number of calls to Lane.FinishTick so far; ctx is checked every engine.PauseTicks calls
}

// run runs the lane to the end of its program and returns its curve. If ctx is done or the lane fails, run
// returns early, with an incomplete curve.
func (d *plotter) run(ctx context.Context) Curve {
	l, until := d.lane, d.lane.Program.Until
	for from := int64(0); from <= until && ctx.Err() == nil && l.Err == nil; from += d.bucket {
		end := min(from+d.bucket-1, until)
		spent := l.Wheel.Cost().Total()
		d.worst = 0
		l.Lateness.High, l.Lateness.Low = 0, 0
		d.walk(ctx, end)
		d.curve.Mean = append(d.curve.Mean, float64(l.Wheel.Cost().Total()-spent)/float64(end-from+1))
		d.curve.Worst = append(d.curve.Worst, d.worst)
		d.curve.Live = append(d.curve.Live, int64(l.Wheel.Len()))
		d.curve.Late = append(d.curve.Late, l.Lateness.High)
		d.curve.Early = append(d.curve.Early, -l.Lateness.Low)
		d.passed(end - from + 1)
	}
	return d.curve
}

// walk runs the lane to the end of tick end, the last tick of the bucket, and updates d.worst, the highest
// cost of a tick in the bucket. It returns early if ctx is done or the lane fails.
func (d *plotter) walk(ctx context.Context, end int64) {
	for {
		at, ok := d.lane.NextTick()
		if !ok || at > end || d.lane.Err != nil {
			break
		}
		d.idle(at - 1)
		d.lane.FinishTick(at)
		d.worst = max(d.worst, d.lane.TickCost())
		if d.worked++; d.worked%engine.PauseTicks == 0 && ctx.Err() != nil {
			return
		}
	}
	d.idle(end)
}

// idle advances the lane to the end of tick t and updates d.worst, the highest cost of a tick in the
// bucket. The caller must ensure that the lane has no more events up to t.
func (d *plotter) idle(t int64) { d.worst = max(d.worst, d.lane.Idle(t)) }
