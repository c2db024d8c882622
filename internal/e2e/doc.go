// Package e2e holds the tests that look at Wheelscope as its users do: the real
// program, built and started on a free port of the loopback, in a real Chromium
// worked by keyboard and mouse. It has no code of its own outside its tests and
// is imported by nobody.
//
// Start reading at main_test.go (what is started once), tab_test.go (a page under
// test) and tables_test.go (what a page shows, and what the run says it should).
//
// A console error, an exception in the page or a request that fails breaks every
// test, whatever it looks at. No test asserts a speed: bench_test.go measures
// those. Pictures are made with
//
//	go test ./internal/e2e -run TestPicture -picture ../../docs/lab.png
package e2e
