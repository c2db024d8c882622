//go:build !js

package fairqueue

// yieldToBrowser does nothing outside a browser.
func yieldToBrowser() {}
