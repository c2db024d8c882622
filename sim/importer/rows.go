package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// readTable reads a tabular workload: a header row with the names of the columns, in any order, and one
// operation per row. It ignores blank rows and rows that begin with #.
func readTable(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	l := &lines{ctx: ctx, in: in}
	w := &workload{o: o.Workload}
	if _, err := w.next(l); err != nil { // kindOf has seen a head
		return nil, err
	}
	t, fault := newTable(string(l.text), l.no, o.Workload.Map)
	if fault != nil {
		return nil, fault
	}
	w.unused = t.unused
	return w.read(l, o, t.row)
}

// readLines reads a workload with one JSON object per line.
func readLines(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	w := &workload{o: o.Workload}
	names := newFieldNames(o.Workload.Map)
	return w.read(&lines{ctx: ctx, in: in}, o, func(text []byte) (row, *Fault) { return objectRow(text, names) })
}

// read reads the remaining lines of l as operations of the workload, and returns the result. It calls parse to
// parse each line.
func (w *workload) read(l *lines, o *Options, parse func(text []byte) (row, *Fault)) (*Result, error) {
	for {
		more, err := w.next(l)
		if err != nil {
			return nil, err
		}
		if !more {
			return w.result(o)
		}
		if l.long {
			w.bad++
			w.faults.add(l.no, "", texts.Newf("longer than %d bytes", LineMax))
			continue
		}
		if fault := w.makeRoom(l.no, o.Spill); fault != nil {
			return nil, fault
		}
		r, fault := parse(bytes.TrimSpace(l.text))
		if fault != nil {
			w.bad++
			w.faults.add(l.no, fault.Path, fault.Message)
			continue
		}
		w.add(l.no, &r)
	}
}

// next reads the next line that is neither blank nor a comment, and counts the comments that it skips. more is
// false at the end of the file.
func (w *workload) next(l *lines) (more bool, err error) {
	for {
		if more, err = l.next(); err != nil || !more {
			return more, err
		}
		text := bytes.TrimSpace(l.text)
		if isSeparatorLine(text) {
			continue
		}
		if len(text) > 0 && text[0] != '#' {
			return true, nil
		}
		if len(text) > 0 {
			w.comments++
		}
	}
}

// table describes the columns of a tabular workload, as given by its header row.
type table struct {
	columns   columns // for each column, the field of a workload that it contains; "" if the column is ignored
	separator rune
	unused    []string // quoted names of the columns that are ignored; a note to the user lists them
}

// fieldNames maps the names of columns, or of JSON fields, in a file to fields of a workload.
type fieldNames struct {
	fields map[string]string
	mapped bool // whether WorkloadOptions.Map is set; if so, unknown names are ignored
}

// newFieldNames returns the inverse of names, which maps fields to their names in the file. A field that is not
// in names has the same name in the file; the field id may also be called timer there.
func newFieldNames(names map[string]string) fieldNames {
	n := fieldNames{map[string]string{}, len(names) > 0}
	for _, field := range fields {
		if _, ok := names[field]; !ok {
			n.fields[field] = field
		}
	}
	if _, ok := names["id"]; !ok {
		n.fields["timer"] = "id"
	}
	for field, name := range names {
		n.fields[strings.ToLower(name)] = field
	}
	return n
}

// newTable parses head, the header row of a table. line is the line number of the row, for faults, and mapped
// is WorkloadOptions.Map. It returns a fault if two columns contain the same field, if a required column is
// missing, or if a column is unknown and mapped is empty.
func newTable(head string, line int64, mapped map[string]string) (*table, *Fault) {
	t := &table{columns: columnsOf(head), separator: separatorOf(head)}
	names := newFieldNames(mapped)
	for i, name := range t.columns {
		field, known := names.fields[name]
		if t.columns[i] = field; !known {
			if names.mapped || isIndex(name) {
				t.unused = append(t.unused, quoted(name))
				continue
			}
			return nil, &Fault{Line: line, Message: texts.Newf("%s is not one of %s", quoted(name), "the columns at, op, id, delay, every, times, created, for, by")}
		}
		name = field
		if slices.Index(t.columns, name) != i {
			return nil, &Fault{Line: line, Message: texts.Newf("the column %s is given twice", quoted(name))}
		}
	}
	for _, name := range []string{"at", "id", "delay"} {
		if !t.columns.has(name) {
			return nil, &Fault{Line: line, Message: texts.Newf("the column %s is missing", quoted(name))}
		}
	}
	return t, nil
}

// isIndex reports whether name is that of a column with the numbers of rows, which pandas writes.
func isIndex(name string) bool {
	return name == "" || name == "index" || strings.HasPrefix(name, "unnamed:")
}

// row parses a row of the table. A quoted cell must end on the same line.
func (t *table) row(text []byte) (row, *Fault) {
	cells := strings.Split(string(text), string(t.separator))
	if bytes.IndexByte(text, '"') >= 0 {
		r := csv.NewReader(bytes.NewReader(text))
		r.Comma, r.FieldsPerRecord = t.separator, -1
		var err error
		if cells, err = r.Read(); err != nil {
			return row{}, refuse("a quote is not closed")
		}
	}
	if len(cells) > len(t.columns) {
		return row{}, refuse("%d cells; expected at most %d, one per column", len(cells), len(t.columns))
	}
	var r row
	for i, cell := range cells {
		if t.columns[i] != "" {
			*r.field(t.columns[i]) = strings.TrimSpace(cell)
		}
	}
	return r, nil
}

// objectRow parses text, a JSON object with the fields of a row. names maps the names in the object to
// fields.
func objectRow(text []byte, names fieldNames) (row, *Fault) {
	var r row
	dec := jsontext.NewDecoder(bytes.NewBuffer(text))
	if first, err := dec.ReadToken(); err != nil || first.Kind() != '{' {
		return r, refuse("%s is not an object", quoted(firstWords(text)))
	}
	given := map[string]bool{}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return r, notJSON(err)
		}
		label := token.String()
		name, known := names.fields[label]
		if !known && names.mapped {
			if err := dec.SkipValue(); err != nil {
				return r, notJSON(err)
			}
			continue
		}
		if !known {
			name = label
		}
		value, err := dec.ReadToken()
		if err != nil {
			return r, notJSON(err)
		}
		if given[name] {
			return r, &Fault{Path: name, Message: texts.Newf("the field %s is given twice in one object", quoted(name))}
		}
		given[name] = true
		if !known {
			return r, &Fault{Path: quoted(name), Message: texts.Newf("unknown field; %s has %s", "a workload", strings.Join(fields, ", "))}
		}
		if kind := value.Kind(); kind != '"' && kind != '0' {
			return r, &Fault{Path: name, Message: texts.Newf("%s is not %s", value.String(), "a number or a string")}
		}
		*r.field(name) = value.String()
	}
	if _, err := dec.ReadToken(); err != nil {
		return r, notJSON(err)
	}
	if len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return r, refuse("the JSON object is followed by more text")
	}
	return r, nil
}

// notJSON converts err, which a JSON decoder returned, to a fault.
func notJSON(err error) *Fault {
	s, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok:
		return refuse("not JSON: the text ends too early")
	case errors.Is(s.Err, jsontext.ErrDuplicateName):
		return refuse("the field %s is given twice in one object", quoted(s.JSONPointer.LastToken()))
	}
	return refuse("not JSON at column %d: %s", int(s.ByteOffset)+1, s.Err.Error())
}
