//go:build !linux

package timer

import "time"

const hasAlarm = false // not measured on other systems

type alarm struct{}

func newAlarm() *alarm { return nil }

func (a *alarm) sleep(time.Duration) bool { return false }

func (a *alarm) close() {}
