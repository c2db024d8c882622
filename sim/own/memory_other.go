//go:build !linux && !js

package own

func limitMemory(int, uint64) {}
