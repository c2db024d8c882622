package rediswheel

import (
	"errors"
	"fmt"
	"strconv"
)

// errReply is a script's reply of another shape than its file says.
var errReply = errors.New("reply of an unknown shape")

// reader takes a flat reply apart, value by value. What does not fit is noted in
// err, and the zero value given.
type reader struct {
	list []any
	err  error
}

func (r *reader) next() any {
	if len(r.list) == 0 {
		r.err = fmt.Errorf("%w: it ends too soon", errReply)
		return nil
	}
	v := r.list[0]
	r.list = r.list[1:]
	return v
}

// int takes a number, told as such or as text.
func (r *reader) int() int64 {
	next := r.next()
	v, ok := next.(int64)
	if text, told := next.(string); told {
		n, err := strconv.ParseInt(text, 10, 64)
		v, ok = n, err == nil
	}
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%w: a number was expected", errReply)
	}
	return v
}

func (r *reader) text() string {
	v, ok := r.next().(string)
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%w: a text was expected", errReply)
	}
	return v
}

func (r *reader) sub() *reader {
	v, ok := r.next().([]any)
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%w: a list was expected", errReply)
	}
	return &reader{list: v}
}

func (r *reader) more() bool { return r.err == nil && len(r.list) > 0 }
