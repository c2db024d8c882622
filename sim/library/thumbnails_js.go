//go:build js && !full

package library

import "embed"

// thumbnailFiles is empty in the engine that runs in a browser, which does not need the thumbnails: the gallery
// that shows them is an HTML file of the static site.
var thumbnailFiles embed.FS
