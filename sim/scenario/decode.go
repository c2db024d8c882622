package scenario

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// document is a JSON text that is being decoded. The function parse first checks the syntax of the whole
// text, including that it has no duplicate names, no invalid UTF-8 and nothing after the value. The value is
// then decoded one level at a time, so that a file with many operations is never held in memory as a tree.
// err is the first error. The values that methods return after an error are meaningless.
type document struct {
	data []byte
	buf  bytes.Buffer
	dec  *jsontext.Decoder // decoder of the object that is being read; its input is buf
	err  *InputError

	opts  DecodeOptions
	ended error // error returned by opts.Check, which stops decoding; err is then set as well

	fields []member // fields of the current operation; the slice is reused for the next one
}

// value is a JSON value that has not been decoded.
type value struct {
	raw []byte // JSON text of the value, without surrounding white space
	at  int    // offset of raw in the document, in bytes
}

// member is a field of a JSON object.
type member struct {
	name  []byte
	value value
}

// byteOrderMark is a prefix that some editors write before UTF-8 text.
var byteOrderMark = []byte("\ufeff")

// parse checks the syntax of data and returns the JSON value in it. If data is invalid, parse sets the err
// field of the document that it returns.
func parse(data []byte, o DecodeOptions) (*document, value) {
	d := &document{data: data, dec: jsontext.NewDecoder(&bytes.Buffer{}), opts: o}
	if len(data) > o.limit() {
		d.err = Fault("", "more than %d bytes; expected a shorter scenario", o.limit())
		return d, value{}
	}
	text := bytes.TrimPrefix(data, byteOrderMark)
	if len(bytes.TrimSpace(text)) == 0 {
		d.err = faultAt(1, "the text is empty; expected a JSON object")
		return d, value{}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(text))
	start, end, err := d.read(dec)
	base := len(data) - len(text)
	if err == nil {
		v := value{text[start:end], base + start}
		rest := bytes.TrimLeft(text[end:], " \t\r\n")
		if len(rest) == 0 {
			return d, v
		}
		d.err = faultAt(d.line(len(data)-len(rest)), "the JSON object is followed by more text")
		return d, value{}
	}
	if d.ended == nil {
		// Reading the text again as one value yields an error that does not depend on opts.
		if _, whole := jsontext.NewDecoder(bytes.NewBuffer(text)).ReadValue(); whole != nil {
			err = whole
		}
		d.err = d.syntax(err, base)
	}
	return d, value{}
}

// pausedDepth is the nesting depth of the operations of a scenario: each operation is an element of an array
// in an object in the scenario object. A value at that depth is read as a whole. The values that enclose it
// are read token by token, so that opts.Check can be called between operations.
const pausedDepth = 3

// read reads the next JSON value from dec and returns the offsets of its start and end in the text that dec
// decodes. The decoder checks the syntax of the value. read calls opts.Check at least once every CheckOps
// operations.
func (d *document) read(dec *jsontext.Decoder) (start, end int, err error) {
	depth := dec.StackDepth()
	for n := 0; ; {
		kind := dec.PeekKind()
		switch open := kind == '{' || kind == '['; {
		case kind == '}', kind == ']', open && d.opts.Check != nil && dec.StackDepth() < depth+pausedDepth:
			_, err = dec.ReadToken()
			end = int(dec.InputOffset())
			if open && dec.StackDepth() == depth+1 {
				start = end - 1
			}
		default:
			var raw jsontext.Value
			raw, err = dec.ReadValue()
			end = int(dec.InputOffset())
			if dec.StackDepth() == depth {
				start = end - len(raw)
			}
		}
		if err != nil || dec.StackDepth() <= depth {
			return start, end, err
		}
		if n++; n%CheckOps == 0 {
			if err := d.pause(); err != nil {
				return 0, 0, err
			}
		}
	}
}

// pause calls opts.Check. If Check returns an error, pause returns it and sets d.err, which ends decoding.
func (d *document) pause() error {
	if d.ended = d.opts.check(); d.ended != nil && d.err == nil {
		d.err = &InputError{}
	}
	return d.ended
}

// syntax converts err, an error from a JSON decoder, to an InputError with a position in the document. base is
// the offset in the document at which the decoder's input begins.
func (d *document) syntax(err error, base int) *InputError {
	var s *jsontext.SyntacticError
	if !errors.As(err, &s) {
		return faultAt(d.line(len(d.data)), "not JSON: the text ends too early")
	}
	line := d.line(base + int(s.ByteOffset))
	if errors.Is(s.Err, jsontext.ErrDuplicateName) {
		name := strings.ReplaceAll(s.JSONPointer.LastToken(), "\n", " ")
		return faultAt(line, "the field %s is given twice in one object", Quote(name))
	}
	return faultAt(line, "not JSON at column %d: %s", d.column(base+int(s.ByteOffset)), JSONText(s.Err))
}

// line returns the number of the line, counting from 1, that contains the given offset in the document.
func (d *document) line(offset int) int {
	return 1 + bytes.Count(d.data[:min(max(offset, 0), len(d.data))], []byte("\n"))
}

// column returns the column of the given offset in the document, in characters, counting from 1.
func (d *document) column(offset int) int {
	before := d.data[:min(max(offset, 0), len(d.data))]
	return 1 + utf8.RuneCount(bytes.TrimPrefix(before[bytes.LastIndexByte(before, '\n')+1:], byteOrderMark))
}

// fail sets d.err to an error about v, the value at path. It has no effect if d.err is already set.
func (d *document) fail(v value, path, format string, args ...any) {
	if d.err == nil {
		d.err = Fault(path, format, args...)
		d.err.Line = d.line(v.at)
	}
}

// members appends the fields of object v to list and returns the extended list, or nil after an error. Names
// without escapes are not copied: they share memory with the document. members stops when list has FieldsMax
// fields. An object with that many fields is rejected later.
func (d *document) members(v value, list []member) []member {
	d.buf = *bytes.NewBuffer(v.raw)
	d.dec.Reset(&d.buf, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.dec.ReadToken(); err != nil {
		return nil
	}
	for d.dec.PeekKind() == '"' && len(list) < FieldsMax {
		name, ok := d.next(v)
		if !ok {
			return nil
		}
		field, ok := d.next(v)
		if !ok {
			return nil
		}
		list = append(list, member{unquoteName(name.raw), field})
	}
	return list
}

// next reads the next name or field value of object v from d.dec. If this fails, it sets d.err and returns false.
func (d *document) next(v value) (value, bool) {
	start, end, err := d.read(d.dec)
	if err != nil {
		d.fail(v, "", "not JSON: %s", err)
		return value{}, false
	}
	return value{v.raw[start:end], v.at + start}, true
}

// each calls f for each element e of array v. i is the index of e. each stops when d.err is set.
func (d *document) each(v value, f func(i int, e value)) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(v.raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return
	}
	for i := 0; d.err == nil && dec.PeekKind() != ']'; i++ {
		if i%CheckOps == CheckOps-1 && d.pause() != nil {
			return
		}
		raw, err := dec.ReadValue()
		if err != nil {
			d.fail(v, "", "not JSON: %s", err)
			return
		}
		end := int(dec.InputOffset())
		f(i, value{v.raw[end-len(raw) : end], v.at + end - len(raw)})
	}
}

// unquoteName returns the content of raw, a quoted name, with its escapes decoded.
func unquoteName(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	name, _ := jsontext.AppendUnquote(nil, raw)
	return name
}

// found describes v for an error message. It returns "an object", "a list" or, for other values, the text of
// v, shortened if it is long.
func (v value) found() string {
	switch v.raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return Quote(v.text())
	}
	return shorten(string(v.raw), 40)
}

// text returns the content of v, a JSON string, with its escapes decoded.
func (v value) text() string {
	s, _ := jsontext.AppendUnquote(nil, v.raw)
	return string(s)
}

// Quote returns s in the form used in error messages: in quotes, on one line, and shortened to 60 bytes.
func Quote(s string) string { return strconv.Quote(shorten(s, 60)) }

// shorten returns s if it has at most limit bytes. Otherwise it cuts s after at most limit bytes, between two
// characters, and appends an ellipsis.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
