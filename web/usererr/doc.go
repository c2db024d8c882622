// Package usererr provides the errors that the page shows to a user. An error is one line in the user's
// language. If it concerns a field of a command, a scenario or a URL, it also contains the path of that field.
//
// [New] returns such an error, and [Describe] describes any error of the packages that a request calls. The
// package does not depend on HTTP: package web chooses the status codes.
package usererr
