//go:build !js

package fairqueue

// yieldToBrowser does nothing outside a browser. In a browser it lets pending messages be delivered.
func yieldToBrowser() {}
