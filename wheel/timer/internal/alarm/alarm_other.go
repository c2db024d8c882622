//go:build !linux

package alarm

import "time"

const available = false // not measured on other systems

type alarm struct{}

func newAlarm() *alarm { return nil }

func (a *alarm) sleep(time.Duration) bool { return false }

func (a *alarm) close() {}
