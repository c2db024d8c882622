//go:build js && !full

package library

import "embed"

// thumbnailFiles is empty in the engine that runs in a browser. That engine does not render the gallery: the
// page with the thumbnails is a file of the site.
var thumbnailFiles embed.FS
