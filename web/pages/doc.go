// Package pages writes the HTML of the pages: given the path and query of a URL, a language and a base path,
// it returns a document, which a server sends and a static site stores. It reads no request and knows no
// route, cookie or header of HTTP.
//
// Start reading at the table in pages.go. A new page is one entry there and the method that builds it;
// package web then serves it, and the static site contains it.
package pages
