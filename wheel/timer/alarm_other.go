//go:build !linux

package timer

import "time"

const alarmAvailable = false // alarms are used only on Linux, the only system on which their benefit has been measured

type alarm struct{}

func newAlarm() *alarm { return nil }

func (a *alarm) sleep(time.Duration) bool { return false }

func (a *alarm) close() {}
