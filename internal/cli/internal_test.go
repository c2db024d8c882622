package cli

// For tests outside the package.
var (
	Execute = execute
	NewRoot = newRoot
)
