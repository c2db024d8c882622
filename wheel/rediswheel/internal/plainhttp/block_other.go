//go:build !unix

package plainhttp

const canCheck = false

func wouldBlock(uintptr) bool { return false }
