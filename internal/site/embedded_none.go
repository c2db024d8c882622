//go:build !engine

package site

import "embed"

const hasEngine = false

var engineFiles embed.FS
