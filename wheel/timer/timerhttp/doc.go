// Package timerhttp shows the timers of a running program in a browser, as net/http/pprof
// shows its profiles. Mount its handler beside that of pprof:
//
//	http.Handle("/debug/timers/", timerhttp.Handler(w))
//
// The page draws the slots and hands of the wheel and shows rates and lateness, ten times a
// second. With ?debug=1 the handler returns the same figures as plain text, once. The operations
// on the wheel while a page is open can be saved as a scenario, a file that the wheelscope program
// opens.
//
// The handler only reads. It checks the Host of each request, but has no users and no
// passwords: mount it where only those can reach it who may see profiles.
//
// The package links the templates and scripts of the page, about 4 MB. Programs that need
// only timers import package timer, which links none of it.
//
// Start reading at [Handler], then serve.go (URLs and headers), feed.go (the stream of
// messages), message.go (what they contain), text.go (the plain text) and scenario.go.
package timerhttp
