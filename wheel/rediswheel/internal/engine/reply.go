package engine

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrReply is wrapped by the errors for a script's reply that does not have the form described in the script.
var ErrReply = errors.New("reply of an unknown shape")

// A Reader reads the list that a script returned, value by value: the position of a value determines its meaning. If the next value is missing or does not have
// the requested type, the method that reads it sets Err and returns the zero value.
type Reader struct {
	List []any // values that have not been read yet
	Err  error // error of a failed read; nil if no read has failed
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

// Int reads the next value, an integer. The script may have returned it as a number or as a string of decimal digits.
func (r *Reader) Int() int64 {
	next := r.next()
	v, ok := next.(int64)
	if text, isText := next.(string); isText {
		n, err := strconv.ParseInt(text, 10, 64)
		v, ok = n, err == nil
	}
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("%w: expected a number", ErrReply)
	}
	return v
}

// Text reads the next value, a string.
func (r *Reader) Text() string {
	v, ok := r.next().(string)
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("%w: expected a text", ErrReply)
	}
	return v
}

// Sub reads the next value, a list, and returns a Reader for this list.
func (r *Reader) Sub() *Reader {
	v, ok := r.next().([]any)
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("%w: expected a list", ErrReply)
	}
	return &Reader{List: v}
}

// More reports whether values are left and no error has occurred.
func (r *Reader) More() bool { return r.Err == nil && len(r.List) > 0 }
