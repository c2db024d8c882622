//go:build !js

package fairqueue

// yieldToBrowser lets a browser deliver messages. In a program outside a browser it does nothing.
func yieldToBrowser() {}
