package scenario

import (
	"errors"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

// object is a JSON object whose fields are read by name. Unless stated otherwise, the methods return the
// zero value if a field is missing. Errors are recorded in doc.err, unless it is already set; the values that
// methods return after an error are meaningless.
type object struct {
	doc     *document
	path    string // path of the object; "" at the root
	self    value
	members []member
}

// object returns v as an object. path is the path of v for error messages. If v is not an object, the method
// sets d.err.
func (d *document) object(v value, path string) object {
	o := object{doc: d, path: path, self: v}
	switch {
	case d.err != nil:
	case v.raw[0] != '{':
		d.fail(v, path, "%s is not an object", v.found())
	default:
		o.members = d.members(v, nil)
	}
	return o
}

// at returns the path of the field with the given name.
func (o *object) at(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

// allowOnly records an error in doc.err if the object has a field that is not in names. what describes the
// object in the error, such as "a scenario".
func (o *object) allowOnly(what any, names ...string) {
	for _, m := range o.members {
		if !contains(names, m.name) {
			o.doc.fail(m.value, o.at(pathName(string(m.name))), "unknown field; %s has %s", what, strings.Join(names, ", "))
			return
		}
	}
}

func contains(names []string, name []byte) bool {
	for _, n := range names {
		if n == string(name) {
			return true
		}
	}
	return false
}

// pathName returns the name of a field in the form used in paths: quoted unless it is a plain word.
func pathName(name string) string {
	for _, r := range name {
		if !(r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return shorten(name, 60)
}

// find returns the value of the named field, or false if it is missing.
func (o *object) find(name string) (value, bool) {
	for i := range o.members {
		if string(o.members[i].name) == name {
			return o.members[i].value, true
		}
	}
	return value{}, false
}

func (o *object) has(name string) bool {
	_, ok := o.find(name)
	return ok
}

// need returns the value of the named field, which is required. If the field is missing, need sets o.doc.err and
// returns false. want describes the expected value in the error.
func (o *object) need(name string, want any) (value, bool) {
	v, ok := o.find(name)
	if !ok {
		o.doc.fail(o.self, o.at(name), "missing; expected %s", want)
	}
	return v, ok
}

// text returns the string in the named field, which is required. want describes the expected value in errors.
func (o *object) text(name string, want any) string {
	v, ok := o.need(name, want)
	if !ok {
		return ""
	}
	return o.doc.text(v, o.at(name), want)
}

func (d *document) text(v value, path string, want any) string {
	if v.raw[0] != '"' {
		d.fail(v, path, "%s is not %s", v.found(), want)
		return ""
	}
	return v.text()
}

// integer returns the value of v, which must be a whole number from least to most. path is the path of v for error
// messages. After an error, integer returns 0.
func (d *document) integer(v value, path string, least, most int64) int64 {
	n, err := strconv.ParseInt(string(v.raw), 10, 64)
	if err != nil || n < least || n > most {
		d.fail(v, path, "%s is not %s", v.found(), Between(least, most))
		return 0
	}
	return n
}

// Between returns a phrase for the whole numbers from least to most, for error messages. For example,
// Between(1, 9) is "a whole number between 1 and 9".
func Between(least, most int64) texts.Message {
	return texts.Newf("a whole number between %d and %d", least, most)
}

// integer returns the whole number in the named field, which must be from least to most. If the field is
// missing, it returns fallback.
func (o *object) integer(name string, fallback, least, most int64) int64 {
	v, ok := o.find(name)
	if !ok {
		return fallback
	}
	return o.doc.integer(v, o.at(name), least, most)
}

// ticks returns the value of the named field in base ticks, or 0 if the field is missing. The value is a number of
// base ticks or a duration, which is rounded up. tick is the length of a base tick in nanoseconds.
func (o *object) ticks(name string, tick int64) int64 {
	v, ok := o.find(name)
	if !ok {
		return 0
	}
	return o.doc.span(v, o.at(name), tick).Ticks
}

// needTicks returns the value of the named field, which is required, in base ticks. The value is a number of base
// ticks or a duration, which is rounded up. tick is the length of a base tick in nanoseconds.
func (o *object) needTicks(name string, tick int64) int64 {
	v, ok := o.need(name, wantSpan)
	if !ok {
		return 0
	}
	return o.doc.span(v, o.at(name), tick).Ticks
}

// span returns the value of v, a number of base ticks or a duration. It rounds a duration up to a whole
// number of base ticks. path is the path of v for error messages. tick is the length of a base tick in nanoseconds.
func (d *document) span(v value, path string, tick int64) Span {
	if v.raw[0] != '"' {
		if _, err := strconv.ParseInt(string(v.raw), 10, 64); errors.Is(err, strconv.ErrSyntax) {
			d.fail(v, path, "%s is not %s", v.found(), wantSpan)
			return Span{}
		}
		return Span{Ticks: d.integer(v, path, -wheel.TickMax, wheel.TickMax)}
	}
	text := v.text()
	ns, err := ParseDuration(text)
	if err != nil {
		d.fail(v, path, "%s is not %s", v.found(), WantDuration)
		return Span{}
	}
	return Span{Ticks: ceilDiv(ns, tick), Text: text}
}

// list reports whether v, the value at path, is an array and no error has occurred so far. If v is not an array,
// it sets d.err unless it is already set.
func (d *document) list(v value, path string) bool {
	if d.err == nil && v.raw[0] != '[' {
		d.fail(v, path, "%s is not a list", v.found())
	}
	return d.err == nil
}
