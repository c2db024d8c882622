package advise

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// accepted are workloads that were not used to fit the model.
var accepted = []struct {
	name string
	q    Questions
	late time.Duration
}{
	{"connections", Questions{Pending: 100_000, Delay: 60 * time.Second, ResetShare: 0.97, CancelShare: 0.02}, time.Millisecond},
	{"requests", Questions{Pending: 5_000, Delay: 5 * time.Second, CancelShare: 0.95}, time.Millisecond},
	{"retries", Questions{Pending: 30_000, Delay: time.Second}, 2 * time.Millisecond},
	{"leases", Questions{Pending: 20_000, Delay: 10 * time.Second, ResetShare: 0.6, CancelShare: 0.1}, 5 * time.Millisecond},
	{"debounce", Questions{Pending: 200, Delay: 250 * time.Millisecond, ResetShare: 0.8}, time.Millisecond},
}

// laterRepeats is how often the independent timing replays a structure.
const laterRepeats = repeats

// BenchmarkAccept advises on each accepted workload and compares the advice with a later timing of all structures that meet
// the constraints. It reports the time of the choice relative to the best, the share of pairs of timed structures that differ
// by 1.25 or more and are ordered alike, their rank correlation, and the share of pairs of all structures that differ by 2
// or more and that the model orders alike.
func BenchmarkAccept(b *testing.B) {
	for _, c := range accepted {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				acceptance(b, workload(b, c.q), Options{AcceptLate: c.late})
			}
		})
	}
}

func acceptance(b *testing.B, w *Workload, o Options) {
	began := time.Now()
	a, err := Advise(context.Background(), w, o)
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	later := make([]*Result, len(a.Results))
	samples := map[int64]*Workload{}
	for i, r := range a.Results {
		c := *r
		later[i] = &c
		samples[r.Width], _, _ = w.widened(r.Width)
	}
	timeAll(context.Background(), later, samples, laterRepeats, func() {})
	best, choice := slices.MinFunc(later, func(x, y *Result) int { return cmp.Compare(x.NS, y.NS) }), 0.0
	var first, second []float64 // times of those that were timed twice
	var model, all []float64
	for i, r := range a.Results {
		if r == a.Best {
			choice = later[i].NS
		}
		if r.NS > 0 {
			first, second = append(first, r.NS), append(second, later[i].NS)
		}
		model, all = append(model, r.Predicted), append(all, later[i].NS)
	}
	pairs, n := ordered(first, second, 1.25)
	modelled, m := ordered(model, all, 2)
	b.ReportMetric(choice/best.NS, "choice/best")
	b.ReportMetric(pairs*100, "%pairs1.25")
	b.ReportMetric(spearman(first, second), "spearman")
	b.ReportMetric(modelled*100, "%model2")
	b.ReportMetric(float64(len(all)), "structures")
	b.ReportMetric(took.Seconds(), "s/advice")
	b.ReportMetric(0, "ns/op")
	b.Logf("%s: %.0f ns, later %.0f ns; the best later %s: %.0f ns, timed before %v; %d pairs, %d of the model", a.Best.Name(w.Tick), a.Best.NS, choice, best.Name(w.Tick), best.NS,
		a.Results[slices.Index(later, best)].NS > 0, n, m)
}

// ordered returns the share of pairs whose values in y differ by at least ratio and whose values in x are in the same
// order, and the number of pairs.
func ordered(x, y []float64, ratio float64) (share float64, pairs int) {
	alike := 0
	for i := range y {
		for j := range y {
			if y[i] >= ratio*y[j] {
				if pairs++; x[i] > x[j] {
					alike++
				}
			}
		}
	}
	return float64(alike) / float64(max(pairs, 1)), pairs
}

// spearman returns the rank correlation of x and y.
func spearman(x, y []float64) float64 {
	rank := func(v []float64) []float64 {
		sorted := slices.Sorted(slices.Values(v))
		ranks := make([]float64, len(v))
		for i := range v {
			ranks[i] = float64(slices.Index(sorted, v[i]))
		}
		return ranks
	}
	a, b, sum := rank(x), rank(y), 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	n := float64(len(a))
	return 1 - 6*sum/(n*(n*n-1))
}

// The statistics of the benchmark are those of their definitions.
func TestStatistics(t *testing.T) {
	x, y := []float64{1, 2, 3, 4}, []float64{10, 20, 40, 30}
	if got := fmt.Sprintf("%.2f %.2f", spearman(x, y), spearman(x, x)); got != "0.80 1.00" {
		t.Error(got)
	}
	if share, n := ordered(x, y, 1.25); n != 6 || share != 5.0/6 {
		t.Errorf("%v of %d", share, n)
	}
}
