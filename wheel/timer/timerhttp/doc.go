// Package timerhttp shows the timers of a running program in a browser, as net/http/pprof
// shows its profiles. Mount its handler beside that of pprof:
//
//	http.Handle("/debug/timers/", timerhttp.Handler(w))
//
// The page draws the slots and hands of the wheel and shows rates and lateness, updated ten times a
// second. With ?debug=1 the handler returns statistics of the wheel as plain text, once. While a
// page is open, the operations on the wheel are recorded. The recording can be saved as a scenario,
// a file that the wheelscope program opens.
//
// The handler never changes the wheel. It checks the Host header of each request, but has no
// authentication: mount it where only users who may see profiles can reach it.
//
// The package links the templates and scripts of the page, about 4 MB. Programs that need
// only timers import package timer, which links none of them.
//
// Start reading at [Handler], then serve.go (URLs and headers), feed.go (the stream of
// messages), message.go (what they contain), text.go (the plain text) and scenario.go.
package timerhttp
