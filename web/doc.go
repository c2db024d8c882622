// Package web serves the page and its WebSocket over HTTP. It is the only package of the lab that depends on HTTP: it
// has the routes, guards, sockets, assets, status codes, and the headers that keep other sites out. The content comes
// from the packages below it: sessions from package session, answers about runs from package api, pages from package
// pages, and errors for users from package texts.
//
// Start reading at [Server], then upgrade.go and socket.go (a WebSocket), api.go (answers), page.go (the
// page) and guard.go (the checks before any route). Limits are in limits.go, or in the packages to which
// they belong.
package web
