// Package view converts runs, algorithms and the figures of wheels on Redis to the structs that the
// templates show. It does not depend on requests and responses. Start reading at [Lab], the page of a
// run. [LanePicture] draws one lane of it as an image.
package view
