package task

import (
	"context"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// Time limits of commands that use Redis.
const (
	taskWait = 30 * time.Second // time limit of most commands
	manyWait = 24 * time.Hour   // time limit of commands that change or read many tasks
)

// existing contains the options for opening a wheel that must already exist. Unless Existing is set, opening
// a wheel creates it if necessary.
var existing = rediswheel.Options{Existing: true}

// onWheel opens the wheel selected by f and calls the function do with it. The context for both expires
// taskWait after the call of onWheel.
func onWheel(ctx context.Context, f *console.RedisFlags, o rediswheel.Options, do func(context.Context, *rediswheel.Wheel) error) error {
	return within(ctx, taskWait, f, o, do)
}

// onMany is like onWheel, but with manyWait as the time limit instead of taskWait.
func onMany(ctx context.Context, f *console.RedisFlags, o rediswheel.Options, do func(context.Context, *rediswheel.Wheel) error) error {
	return within(ctx, manyWait, f, o, do)
}

// onNamed is like onWheel for the wheel named args[0]. It sets f.Wheel to that name.
func onNamed(ctx context.Context, f *console.RedisFlags, args []string, o rediswheel.Options, do func(context.Context, *rediswheel.Wheel) error) error {
	f.Wheel = args[0]
	return onWheel(ctx, f, o, do)
}

// within opens the wheel selected by f and calls the function do with it. The context for both expires when wait
// has elapsed since the call of within.
func within(ctx context.Context, wait time.Duration, f *console.RedisFlags, o rediswheel.Options, do func(context.Context, *rediswheel.Wheel) error) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	w, done, err := f.Open(ctx, o)
	if err != nil {
		return err
	}
	defer done()
	return do(ctx, w)
}

// First and longest pause between two attempts to open a wheel while Redis does not respond.
const (
	openFirst = 50 * time.Millisecond
	openMax   = time.Second
)

// openWhenReady opens the wheel selected by f for a long-running program. If Redis does not respond or does
// not accept commands, openWhenReady retries until it succeeds or ctx is done. It logs the errors to o.Log,
// which must not be nil, but omits an error that is the same as the previous one. If retrying would not help,
// for example because the password is wrong, openWhenReady returns the error without retrying. The returned
// function closes the connection.
func openWhenReady(ctx context.Context, f *console.RedisFlags, o rediswheel.Options) (*rediswheel.Wheel, func(), error) {
	reported := ""
	for wait := openFirst; ; wait = min(2*wait, openMax) {
		w, done, err := f.Open(ctx, o)
		if err == nil {
			if reported != "" {
				o.Log.Info("Redis answers")
			}
			return w, done, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if !errors.Is(err, rediswheel.ErrUnreachable) && !errors.Is(err, rediswheel.ErrRefused) {
			return nil, nil, err
		}
		if text := console.OneLine(err.Error()); text != reported {
			reported = text
			o.Log.Error(text + "; the worker keeps trying")
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}
