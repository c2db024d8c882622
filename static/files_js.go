//go:build js && !full

package static

import "embed"

// files has only what the engine that runs in a browser reads: the pages of the site load the other files and the
// texts directly.
//
//go:embed knowledge
var files embed.FS

var textFiles embed.FS
