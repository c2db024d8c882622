//go:build !js || full

package library

import "embed"

//go:embed thumbnails/*.svg
var thumbnailFiles embed.FS
