// Package e2e has end-to-end tests: they build the real program, start it on a free loopback
// port, and use its page in a real Chromium by keyboard and mouse. It has no code outside its
// tests, and no package imports it.
//
// Start reading at main_test.go (the setup that all tests share), tab_test.go (a page under test) and
// tables_test.go (what a page shows, and what it should show for the run).
//
// `make e2e` runs journeys, one for each thing that a user does. The matrices of sizes, themes, languages and views, and
// details of pictures, run with WHEELSCOPE_WHOLE=1 only, as in `make soak`; see soak in tab_test.go. Modules that need
// no page are tested in internal/scripttest.
//
// Tests open pages with reduced motion. Otherwise each step would be animated for 0.6 to 1.4 s, and drawing the
// frames without a graphics processor would take most of the tests' processor time. Tests of animations use
// newMovingTab: they examine movements from beginning to end, steps during movements, playback, every frame,
// the page after a movement, and the setting for less motion.
//
// A console error, an exception in the page or a failed request fails every test. No test
// asserts a speed; bench_test.go measures speeds. Pictures are made with
//
//	go test ./internal/e2e -run TestPicture -picture ../../docs/page.png
package e2e
