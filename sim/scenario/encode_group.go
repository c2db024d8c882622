package scenario

import (
	"strconv"
)

// appendJSON appends to dst the JSON of g, with durations and rates as they were written in the scenario, and returns
// the extended buffer.
func (g *Group) appendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"prefix":`...), g.Prefix)
	dst = strconv.AppendUint(append(dst, `,"seed":`...), g.Seed, 10)
	dst = appendInt(dst, `,"count":`, int64(g.Count))
	dst = g.Arrivals.appendJSON(append(dst, `,"arrivals":`...))
	dst = g.Delay.appendJSON(append(dst, `,"delay":`...))
	if g.Repeat.Times != 0 {
		dst = appendSpan(dst, "every", g.Repeat.Every)
		dst = appendInt(dst, `,"times":`, int64(g.Repeat.Times))
	}
	if g.Cancel != nil {
		dst = append(append(dst, `,"cancel":{"fraction":`...), g.Cancel.Fraction.String()...)
		dst = append(g.Cancel.After.appendJSON(append(dst, `,"after":`...)), '}')
	}
	if r := g.Reset; r != nil {
		dst = append(append(dst, `,"reset":{"fraction":`...), r.Fraction.String()...)
		dst = r.Every.appendJSON(append(dst, `,"every":`...))
		if r.Until != nil {
			dst = r.Until.appendJSON(append(dst, `,"until":`...))
		}
		dst = append(dst, '}')
	}
	if j := g.Jitter; j != nil && j.Span.Text != "" {
		dst = appendSpan(dst, "jitter", j.Span)
	} else if j != nil {
		dst = append(append(dst, `,"jitter":`...), j.Share.String()...)
	}
	return append(dst, '}')
}

func (d *Dist) appendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"dist":"`...), d.Kind.String()...), '"')
	switch d.Kind {
	case DistConstant:
		if d.Every.Ticks > 0 {
			dst = appendSpan(dst, "every", d.Every)
		} else {
			dst = appendSpan(dst, "value", d.Value)
		}
	case DistUniform:
		dst = appendSpan(dst, "min", d.Min)
	case DistExponential:
		dst = appendSpan(dst, "mean", d.Mean)
	case DistPoisson:
		dst = appendString(append(dst, `,"rate":`...), d.Rate.Text)
	case DistPareto:
		dst = appendSpan(dst, "min", d.Min)
		dst = append(append(dst, `,"alpha":`...), d.Alpha.String()...)
	case DistChoice:
		dst = d.appendChoice(dst)
	}
	if d.HasMax {
		dst = appendSpan(dst, "max", d.Max)
	}
	return append(dst, '}')
}

func (d *Dist) appendChoice(dst []byte) []byte {
	dst = append(dst, `,"values":[`...)
	for i, s := range d.Values {
		dst = s.append(appendComma(dst, i))
	}
	dst = append(dst, ']')
	if d.Weights != nil {
		dst = append(appendInts(append(dst, `,"weights":[`...), d.Weights), ']')
	}
	return dst
}

func appendSpan(dst []byte, name string, s Span) []byte {
	return s.append(append(appendString(append(dst, ','), name), ':'))
}

// append appends to dst the JSON of s, as it was written in the scenario, and returns the extended buffer.
func (s Span) append(dst []byte) []byte {
	if s.Text != "" {
		return appendString(dst, s.Text)
	}
	return strconv.AppendInt(dst, s.Ticks, 10)
}
