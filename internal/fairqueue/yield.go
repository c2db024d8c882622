//go:build !js

package fairqueue

// yieldToBrowser does nothing, since other goroutines run on other threads.
func yieldToBrowser() {}
