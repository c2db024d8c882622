// Package pages renders the HTML of the pages. It makes a document from the path and query of a URL, a language
// and a base path; a server sends the document, and a static site stores it. The package does not read
// requests, and does not depend on routes, cookies or headers of HTTP.
//
// The page /learn is made from chapters (article.go).
//
// Start reading at the table in pages.go. To add a page, add an entry there and the method that builds it.
// Package web then serves the page, and the static site contains it.
package pages
