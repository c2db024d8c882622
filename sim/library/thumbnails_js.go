//go:build js && !full

package library

import "embed"

// The engine that runs in a browser draws no gallery: the page with the thumbnails is a file of the site.
var thumbnailFiles embed.FS
