// Package scripttest tests the modules of static/js that compute and need no page: the fold, the
// story, the lines of pseudo-code, the geometry of pictures, the span of the timeline. Node runs
// them, and the tests compare their results with those of Go. It has no code outside its tests.
//
// Start reading at node_test.go.
package scripttest
