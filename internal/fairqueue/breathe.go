//go:build !js

package fairqueue

// breathe does nothing, since other goroutines run on other threads.
func breathe() {}
