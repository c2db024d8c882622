//go:build !js || full

package static

import "embed"

//go:embed js css knowledge bundle icon.svg
var files embed.FS

//go:embed texts/*/*.json texts/*/learn/*.json
var textFiles embed.FS
