package scenario

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
)

// group reads v, an element of workload.generate, which describes generated timers. path is the path of v for error
// messages. tick is the length of a base tick in nanoseconds.
func (d *document) group(v value, path string, tick int64) Group {
	o := d.object(v, path)
	o.allowOnly("a generated group", "prefix", "seed", "count", "arrivals", "delay", "every", "times", "cancel", "reset", "jitter")
	g := Group{Prefix: o.text("prefix", "the beginning of the timers' names")}
	if seed, ok := o.find("seed"); ok {
		g.Seed = d.seed(seed, o.at("seed"))
	}
	if _, ok := o.need("count", "a number of timers"); ok {
		g.Count = int(o.integer("count", 0, 0, TimersMax))
	}
	g.Arrivals = o.dist("arrivals", arrivalFields, tick)
	g.Delay = o.dist("delay", lengthFields, tick)
	_, g.Repeat.Times = d.repeat(&o, tick)
	if every, ok := o.find("every"); ok {
		g.Repeat.Every = d.span(every, o.at("every"), tick) // with its text
	}
	if c, ok := o.find("cancel"); ok {
		g.Cancel = d.groupCancel(c, o.at("cancel"), tick)
	}
	if r, ok := o.find("reset"); ok {
		g.Reset = d.groupReset(r, o.at("reset"), tick)
	}
	if j, ok := o.find("jitter"); ok {
		g.Jitter = o.jitter(j, tick)
		if g.Repeat.Every.Ticks == 0 && d.err == nil {
			d.fail(j, o.at("jitter"), "given without %s", "every")
		}
	}
	return g
}

// jitter reads the field jitter: a number between 0 and 1, a share of the period, or a duration.
func (o *object) jitter(v value, tick int64) *Jitter {
	if v.raw[0] != '"' {
		return &Jitter{Share: o.decimal("jitter", 0, DecimalOne)}
	}
	span := o.doc.span(v, o.at("jitter"), tick)
	if span.Ticks < 0 {
		o.doc.fail(v, o.at("jitter"), "%s is not 0 or more", v.found())
	}
	return &Jitter{Span: span}
}

func (d *document) seed(v value, path string) uint64 {
	n, err := strconv.ParseUint(string(v.raw), 10, 64)
	if err != nil {
		d.fail(v, path, "%s is not a whole number between 0 and %d", v.found(), uint64(math.MaxUint64))
	}
	return n
}

func (d *document) groupCancel(v value, path string, tick int64) *GroupCancel {
	o := d.object(v, path)
	o.allowOnly("cancel", "fraction", "after")
	c := &GroupCancel{Fraction: o.decimal("fraction", 0, DecimalOne)}
	c.After = o.dist("after", lengthFields, tick)
	return c
}

func (d *document) groupReset(v value, path string, tick int64) *GroupReset {
	o := d.object(v, path)
	o.allowOnly("reset", "fraction", "every", "until")
	r := &GroupReset{Fraction: o.decimal("fraction", 0, DecimalOne)}
	r.Every = o.dist("every", lengthFields, tick)
	if o.has("until") {
		until := o.dist("until", lengthFields, tick)
		r.Until = &until
	}
	return r
}

// decimal returns the number in the named field, which is required. The number must be from least to most and have at
// most six digits after the decimal point.
func (o *object) decimal(name string, least, most Decimal) Decimal {
	want := texts.Newf("a number between %s and %s with at most %d decimals", least, most, 6)
	v, ok := o.need(name, want)
	if !ok {
		return 0
	}
	n, err := parseDecimal(string(v.raw))
	if err != nil || n < least || n > most {
		o.doc.fail(v, o.at(name), "%s is not %s", v.found(), want)
	}
	return n
}

// lengthFields and arrivalFields list the fields of each kind of distribution, apart from the field "dist".
// lengthFields is for durations ("delay", "cancel.after", "reset.every" and "reset.until"), arrivalFields for arrivals.
var (
	lengthFields = map[string][]string{
		"constant":    {"value"},
		"uniform":     {"min", "max"},
		"exponential": {"mean", "max"},
		"pareto":      {"min", "alpha", "max"},
		"choice":      {"values", "weights"},
	}
	arrivalFields = map[string][]string{
		"constant":    {"value", "every"},
		"uniform":     {"min", "max"},
		"exponential": {"mean", "max"},
		"poisson":     {"rate"},
		"pareto":      {"min", "alpha", "max"},
		"choice":      {"values", "weights"},
	}
)

// alphaMin and alphaMax are the limits of the exponent of a Pareto distribution. Below alphaMin most draws exceed
// 2^62. Above alphaMax all draws equal the minimum.
const (
	alphaMin Decimal = DecimalOne / 10
	alphaMax Decimal = DecimalOne * 100
)

// dist reads the distribution in the named field, which is required. fields lists the permitted kinds of distributions
// and the fields of each. tick is the length of a base tick in nanoseconds.
func (o *object) dist(name string, fields map[string][]string, tick int64) Dist {
	want := texts.Newf("an object with dist: %s", distList(fields))
	v, ok := o.need(name, want)
	if !ok {
		return Dist{}
	}
	p := o.doc.object(v, o.at(name))
	kind := p.text("dist", texts.Newf("one of %s", distList(fields)))
	if o.doc.err != nil {
		return Dist{}
	}
	allowed, ok := fields[kind]
	if !ok {
		k, _ := p.find("dist")
		o.doc.fail(k, p.at("dist"), "%s is not one of %s", k.found(), distList(fields))
		return Dist{}
	}
	p.allowOnly(texts.Newf("the distribution %s", kind), append([]string{"dist"}, allowed...)...)
	d := Dist{Kind: distKind(kind)}
	p.distFields(&d, allowed, tick)
	return d
}

// distList returns the kinds of distributions in fields as a list for error messages, such as "constant,
// uniform".
func distList(fields map[string][]string) string {
	var names []string
	for _, name := range distNames[DistConstant:] {
		if _, ok := fields[name]; ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func distKind(name string) DistKind { return DistKind(slices.Index(distNames[:], name)) }

func (o *object) distFields(d *Dist, allowed []string, tick int64) {
	switch d.Kind {
	case DistConstant:
		o.constant(d, len(allowed) > 1, tick)
	case DistUniform:
		d.Min, d.Max, d.HasMax = o.length("min", 0, tick), o.length("max", 0, tick), true
		o.ordered(d)
	case DistExponential:
		d.Mean = o.length("mean", 1, tick)
		if d.HasMax = o.has("max"); d.HasMax {
			d.Max = o.length("max", 0, tick)
		}
	case DistPoisson:
		o.rate(d, tick)
	case DistPareto:
		d.Min, d.Max, d.HasMax = o.length("min", 1, tick), o.length("max", 1, tick), true
		d.Alpha = o.decimal("alpha", alphaMin, alphaMax)
		o.ordered(d)
	case DistChoice:
		o.choice(d, tick)
	}
}

// length returns the duration in the named field, which is required. A duration of fewer than least base ticks is an
// error. least must be 0 or 1. tick is the length of a base tick in nanoseconds.
func (o *object) length(name string, least, tick int64) Span {
	v, ok := o.need(name, wantSpan)
	if !ok {
		return Span{}
	}
	s := o.doc.span(v, o.at(name), tick)
	want := texts.Newf(wantTicks, 0)
	if least == 1 {
		want = texts.Newf(wantTick, 1)
	}
	if s.Ticks < least {
		o.doc.fail(v, o.at(name), "%s is not %s", v.found(), want)
	}
	return s
}

// ordered sets o.doc.err if d.Max, the value of the "max" field, is less than d.Min.
func (o *object) ordered(d *Dist) {
	if v, ok := o.find("max"); ok && d.Max.Ticks < d.Min.Ticks {
		o.doc.fail(v, o.at("max"), "%s is not min (%d ticks) or more", v.found(), d.Min.Ticks)
	}
}

// constant reads the parameter of a constant distribution into d, from the "value" field. If arrivals is true, d
// determines when the timers of a group are scheduled, and the object may instead have an "every" field, the time
// between two of them. tick is the length of a base tick in nanoseconds.
func (o *object) constant(d *Dist, arrivals bool, tick int64) {
	if arrivals && o.has("every") {
		if v, ok := o.find("value"); ok {
			o.doc.fail(v, o.at("value"), "value and every can't both be given")
		}
		d.Every = o.length("every", 1, tick)
		return
	}
	d.Value = o.length("value", 0, tick)
}

func (o *object) rate(d *Dist, tick int64) {
	v, ok := o.need("rate", wantRate)
	if !ok {
		return
	}
	rate, err := parseRate(o.doc.text(v, o.at("rate"), wantRate))
	switch {
	case err != nil:
		o.doc.fail(v, o.at("rate"), "%s is not %s", v.found(), wantRate)
	case !rate.Ticks && rate.Count > math.MaxInt64/tick:
		o.doc.fail(v, o.at("rate"), "%s is too many for ticks this long; expected %d or fewer", v.found(), math.MaxInt64/tick)
	}
	d.Rate = rate
}

// choice reads the "values" and "weights" fields of a choice distribution into d. Without weights, all values are
// equally likely. tick is the length of a base tick in nanoseconds.
func (o *object) choice(d *Dist, tick int64) {
	v, ok := o.need("values", "a list of lengths of time")
	if !ok || !o.doc.list(v, o.at("values")) {
		return
	}
	o.doc.each(v, func(i int, e value) {
		path := PathAt(o.at("values"), i)
		s := o.doc.span(e, path, tick)
		if s.Ticks < 0 {
			o.doc.fail(e, path, "%s is not %s", e.found(), texts.Newf(wantTicks, 0))
		}
		if i == ChoicesMax {
			o.doc.fail(e, o.at("values"), "more than %d values are not allowed", ChoicesMax)
		}
		d.Values = append(d.Values, s)
	})
	if len(d.Values) == 0 {
		o.doc.fail(v, o.at("values"), "the list is empty; expected one or more lengths of time")
	}
	o.weights(d)
}

func (o *object) weights(d *Dist) {
	v, ok := o.find("weights")
	if !ok || !o.doc.list(v, o.at("weights")) {
		return
	}
	o.doc.each(v, func(i int, e value) {
		if i < len(d.Values) {
			d.Weights = append(d.Weights, o.doc.integer(e, PathAt(o.at("weights"), i), 1, WeightMax))
			return
		}
		o.doc.fail(e, o.at("weights"), "more weights than values (%d) are not allowed", len(d.Values))
	})
	if len(d.Weights) < len(d.Values) {
		o.doc.fail(v, o.at("weights"), "%d weights for %d values; expected one for each", len(d.Weights), len(d.Values))
	}
}
