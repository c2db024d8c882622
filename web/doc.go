// Package web serves the page and its WebSocket over HTTP. It is the only code of the lab that knows HTTP:
// routes, guards, sockets, assets, status codes, and the headers that keep other sites out. What it serves
// comes from the packages below it: sessions from session, answers about runs from api, pages from pages,
// errors for users from usererr.
//
// Start reading at [Server], then upgrade.go and socket.go (a WebSocket), api.go (answers), page.go (the
// page) and guard.go (what is refused before any route). Limits are in limits.go, and beside the packages
// that they belong to.
package web
