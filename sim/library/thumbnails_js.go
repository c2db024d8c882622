//go:build js && !full

package library

import "embed"

// thumbnailFiles is empty in the engine that runs in a browser, since that engine does not render the
// gallery. The page with the thumbnails is a file of the site.
var thumbnailFiles embed.FS
