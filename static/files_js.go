//go:build js && !full

package static

import "embed"

// files and textFiles are empty in the engine that runs in a browser, since the site serves the files and the texts
// of pages as files.
var files embed.FS

var textFiles embed.FS

func labFile(string) ([]byte, bool) { return nil, false }
