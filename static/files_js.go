//go:build js && !full

package static

import "embed"

// The engine that runs in a browser embeds neither the files nor the texts of pages, since the site serves both
// as files.
var files embed.FS

var textFiles embed.FS

func labFile(string) ([]byte, bool) { return nil, false }
