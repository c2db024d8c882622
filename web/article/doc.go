// Package article builds the page /learn: the chapters, the small scenario that each of them shows, and the
// figures of its run that the text mentions. It does not depend on net/http.
//
// Start reading at the table in chapters.go. The texts of a chapter are in static/texts/LANGUAGE/learn, and its
// scenario is in the directory scenarios. The scripts of the page (static/js/article) change the scenario, open
// the changed one in a session, and write the figures of its run into the same text.
package article
