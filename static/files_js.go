//go:build js && !full

package static

import "embed"

// The engine that runs in a browser serves no files and writes no pages: the site has them as files.
var files embed.FS

var textFiles embed.FS

func labFile(string) ([]byte, bool) { return nil, false }
