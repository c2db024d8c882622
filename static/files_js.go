//go:build js && !full

package static

import "embed"

// files and textFiles are empty in the engine that runs in a browser. The pages of the site load the files and
// texts directly.
var files embed.FS

var textFiles embed.FS

func labFile(string) ([]byte, bool) { return nil, false }
