package scenario

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// DecodeLane decodes a lane object, which has the same form as in a scenario file, and fills in its
// defaults. It does not detect conflicts with other lanes, such as a duplicate ID; planning detects them.
// The error is an *InputError whose path is relative to the object.
func (s *Scenario) DecodeLane(data []byte) (LaneSpec, error) {
	d, root := parse(data, DecodeOptions{})
	if d.err != nil {
		return LaneSpec{}, d.err
	}
	tick, err := ParseTick(s.Tick)
	if err != nil {
		return LaneSpec{}, Fault("tick", "%s is not %s", Quote(s.Tick), WantDuration)
	}
	lane := d.lane(root, "", tick)
	if d.err != nil {
		return LaneSpec{}, d.err
	}
	filled, bad := CheckLane(lane, "lane", s.Start, tick)
	if bad != nil {
		return LaneSpec{}, bad.Under("lane")
	}
	return filled, nil
}

// lane reads v, a lane. Each parameter is read according to its type in the algorithm's description. path is the path
// of v for error messages. tick is the length of a base tick in nanoseconds.
func (d *document) lane(v value, path string, tick int64) LaneSpec {
	o := d.object(v, path)
	id := o.text("algorithm", texts.Newf("the id of an algorithm: %s", algorithmIDs()))
	if d.err != nil {
		return LaneSpec{}
	}
	a, ok := algorithms.Lookup(id)
	if !ok {
		field, _ := o.find("algorithm")
		d.fail(field, o.at("algorithm"), "%s is not one of %s", field.found(), algorithmIDs())
		return LaneSpec{}
	}
	lane := LaneSpec{ID: id, Algorithm: id, Params: catalog.Params{}}
	if o.has("id") {
		lane.ID = o.text("id", "a name")
		if lane.ID == "" {
			field, _ := o.find("id")
			d.fail(field, o.at("id"), `"" is not a name`)
		}
	}
	names := []string{"id", "algorithm"}
	for i := range a.Parameters {
		names = append(names, a.Parameters[i].Name)
	}
	o.allowOnly(texts.Newf("a lane of algorithm %s", id), names...)
	for i := range a.Parameters {
		q := &a.Parameters[i]
		if field, ok := o.find(q.Name); ok {
			lane.Params[q.Name] = d.param(field, o.at(q.Name), q, tick)
		}
	}
	return lane
}

// algorithmIDs returns the IDs of all algorithms, separated by commas, for error messages.
func algorithmIDs() string {
	var ids []string
	for _, a := range algorithms.Catalogue() {
		ids = append(ids, a.ID)
	}
	return strings.Join(ids, ", ")
}

// param converts v to a value of parameter q. The result is a string, a []string, an int64 or an []int64,
// depending on q.Type and v. Package catalog checks later that the value is valid. path is the path of v for error
// messages. tick is the length of a base tick in nanoseconds.
func (d *document) param(v value, path string, q *catalog.Parameter, tick int64) any {
	switch {
	case v.raw[0] == '[' && q.Type == catalog.TypeInts:
		return d.sizes(v, path, q)
	case v.raw[0] == '[' && q.Type == catalog.TypeNames:
		return d.options(v, path, q)
	case v.raw[0] == '"' && q.Type == catalog.TypeTick:
		return d.span(v, path, tick).Ticks
	case v.raw[0] == '"' && (q.Type == catalog.TypeChoice || q.Type == catalog.TypeText):
		return v.text()
	case q.Type == catalog.TypeText:
		d.fail(v, path, "%s is not a text", v.found())
		return ""
	case q.Type == catalog.TypeChoice:
		d.fail(v, path, "%s is not one of %s", v.found(), strings.Join(q.Options, ", "))
		return ""
	case q.Type == catalog.TypeNames:
		d.fail(v, path, "%s is not a list of names out of %s", v.found(), strings.Join(q.Options, ", "))
		return ""
	}
	return d.number(v, path, q)
}

// number returns the value of v, an integer for parameter q. It reports an error if v is not an integer or
// does not fit in an int64. Package catalog checks later that the value is in the range of q. path is the path of v
// for error messages.
func (d *document) number(v value, path string, q *catalog.Parameter) int64 {
	n, err := strconv.ParseInt(string(v.raw), 10, 64)
	if err != nil {
		d.fail(v, path, "%s is not %s", v.found(), Between(q.Min, q.Max))
	}
	return n
}

// sizes returns the values of v, a list of integers for parameter q, such as the number of slots of each level. path
// is the path of v for error messages.
func (d *document) sizes(v value, path string, q *catalog.Parameter) []int64 {
	list := []int64{}
	d.each(v, func(i int, e value) {
		if i > wheel.LevelsMax {
			d.fail(e, path, "the list is too long; expected 1 to %d sizes", wheel.LevelsMax)
			return
		}
		list = append(list, d.number(e, PathAt(path, i), q))
	})
	return slices.Clip(list)
}

// options returns the strings in v, a list. Package catalog checks later that they are options of parameter q. path
// is the path of v for error messages.
func (d *document) options(v value, path string, q *catalog.Parameter) []string {
	list := []string{}
	d.each(v, func(i int, e value) {
		switch {
		case i >= len(q.Options):
			d.fail(e, path, "the list is too long; expected at most %d names", len(q.Options))
		case e.raw[0] != '"':
			d.fail(e, PathAt(path, i), "%s is not one of %s", e.found(), strings.Join(q.Options, ", "))
		default:
			list = append(list, e.text())
		}
	})
	return slices.Clip(list)
}

// PathAt returns the path of element i of the list at path, such as "lanes[1]".
func PathAt(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
