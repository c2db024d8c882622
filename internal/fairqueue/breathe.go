//go:build !js

package fairqueue

// breathe does nothing: other goroutines run on threads of their own.
func breathe() {}
