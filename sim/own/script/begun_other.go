//go:build !js

package script

// begun is called when a call of a wheel begins.
func begun() {}
