// Package reply reads the flat replies of scripts.
package reply

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrReply is a script's reply of another shape than its file says.
var ErrReply = errors.New("reply of an unknown shape")

// Reader takes a flat reply apart, value by value. What does not fit is noted in
// Err, and the zero value given.
type Reader struct {
	List []any
	Err  error
}

func (r *Reader) next() any {
	if len(r.List) == 0 {
		r.Err = fmt.Errorf("%w: it ends too soon", ErrReply)
		return nil
	}
	v := r.List[0]
	r.List = r.List[1:]
	return v
}

// Int takes a number, given as such or as text.
func (r *Reader) Int() int64 {
	next := r.next()
	v, ok := next.(int64)
	if text, told := next.(string); told {
		n, err := strconv.ParseInt(text, 10, 64)
		v, ok = n, err == nil
	}
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("%w: a number was expected", ErrReply)
	}
	return v
}

// Text takes a text.
func (r *Reader) Text() string {
	v, ok := r.next().(string)
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("%w: a text was expected", ErrReply)
	}
	return v
}

// Sub takes a list, which is read by the reader it returns.
func (r *Reader) Sub() *Reader {
	v, ok := r.next().([]any)
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("%w: a list was expected", ErrReply)
	}
	return &Reader{List: v}
}

// More reports whether values are left, and all so far have fitted.
func (r *Reader) More() bool { return r.Err == nil && len(r.List) > 0 }
