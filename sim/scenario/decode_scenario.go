package scenario

import (
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

// FormatVersion is the version of the formats of scenarios and traces.
const FormatVersion = 1

// untilDefault is the value of Scenario.Until if the scenario file does not specify it. Planning then
// computes the last tick.
const untilDefault = -1

// Decode decodes a scenario. It checks the names and types of the fields. Planning checks whether their values
// make sense, and fills in the defaults that depend on other fields. The error is an *InputError or the error
// returned by o.Check.
func Decode(data []byte, o DecodeOptions) (*Scenario, error) {
	d, root := parse(data, o)
	s := &Scenario{Until: untilDefault}
	if d.err == nil {
		d.scenario(root, s)
	}
	if d.ended != nil {
		return nil, d.ended
	}
	if d.err != nil {
		return nil, d.err
	}
	return s, nil
}

func (d *document) scenario(v value, s *Scenario) {
	o := d.object(v, "")
	// The version is checked first: a later version may have other fields.
	if version, ok := o.need("wheelscope", texts.Newf("the version of the format, %d", FormatVersion)); ok && string(version.raw) != "1" {
		d.fail(version, "wheelscope", "%s is not 1, the version of the format that this program reads", version.found())
	}
	o.allowOnly("a scenario", "$schema", "wheelscope", "name", "title", "summary", "question", "tick", "start", "until", "lanes", "workload")
	if o.has("$schema") {
		o.text("$schema", "the address of a JSON Schema") // for editors only
	}
	if o.has("name") {
		s.Name = o.text("name", "a name")
	}
	s.Title, s.Summary, s.Question = o.texts("title"), o.texts("summary"), o.texts("question")
	s.Tick = defaultTick
	if o.has("tick") {
		s.Tick = o.text("tick", WantDuration)
	}
	ns, err := ParseTick(s.Tick)
	if err != nil {
		tick, _ := o.find("tick")
		d.fail(tick, "tick", "%s is not %s, more than 0", Quote(s.Tick), WantDuration)
	}
	if d.err != nil {
		return
	}
	s.Start = o.ticks("start", ns)
	if until, ok := o.find("until"); ok {
		s.Until = d.span(until, "until", ns).Ticks
		if s.Until < 0 {
			d.fail(until, "until", "%s is not %s", until.found(), Between(0, wheel.TickMax))
		}
	}
	d.lanes(&o, ns, s)
	d.workload(&o, ns, s)
}

func (d *document) lanes(o *object, tick int64, s *Scenario) {
	v, ok := o.need("lanes", "a list of lanes")
	if !ok || !d.list(v, "lanes") {
		return
	}
	d.each(v, func(i int, e value) {
		if i == LanesMax {
			d.fail(e, "lanes", "more than %d lanes are not allowed", LanesMax)
			return
		}
		s.Lanes = append(s.Lanes, d.lane(e, PathAt("lanes", i), tick))
	})
}

func (d *document) workload(o *object, tick int64, s *Scenario) {
	v, ok := o.need("workload", "an object with ops and generate")
	if !ok {
		return
	}
	w := d.object(v, "workload")
	w.allowOnly("a workload", "ops", "generate")
	if ops, ok := w.find("ops"); ok && d.list(ops, "workload.ops") {
		d.each(ops, func(i int, e value) {
			if i == OpsMax {
				d.fail(e, "workload.ops", "more than %d operations are not allowed", OpsMax)
				return
			}
			s.Ops = append(s.Ops, d.op(e, i, tick))
		})
	}
	if groups, ok := w.find("generate"); ok && d.list(groups, "workload.generate") {
		d.each(groups, func(i int, e value) {
			if i == GroupsMax {
				d.fail(e, "workload.generate", "more than %d groups are not allowed", GroupsMax)
				return
			}
			s.Generate = append(s.Generate, d.group(e, PathAt("workload.generate", i), tick))
		})
	}
}

// texts returns the text in the named field: a string, or an object with one string per language.
func (o *object) texts(name string) Text {
	v, ok := o.find(name)
	if !ok || o.doc.err != nil {
		return Text{}
	}
	path := o.at(name)
	if v.raw[0] == '"' {
		return Text{Plain: v.text()}
	}
	if v.raw[0] != '{' {
		o.doc.fail(v, path, "%s is not a text, or an object with a text per language", v.found())
		return Text{}
	}
	var t Text
	for _, m := range o.doc.object(v, path).members {
		lang := string(m.name)
		text := LangText{lang, o.doc.text(m.value, path+"."+pathName(lang), "a text")}
		at, _ := slices.BinarySearchFunc(t.Langs, text, compareLangs)
		t.Langs = slices.Insert(t.Langs, at, text)
	}
	return t
}

// compareLangs orders languages: en first, then zh, then the others by name.
func compareLangs(a, b LangText) int {
	rank := func(lang string) int { return slices.Index([]string{"zh", "en"}, lang) }
	if d := rank(b.Lang) - rank(a.Lang); d != 0 {
		return d
	}
	return strings.Compare(a.Lang, b.Lang)
}
