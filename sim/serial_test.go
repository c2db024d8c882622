//go:build !race

package sim

import "testing"

// serial marks a long test of one goroutine; see serial_race_test.go.
func serial(*testing.T) {}
