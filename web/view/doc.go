// Package view converts runs, algorithms and the figures of wheels on Redis to the structs that the
// templates show, and makes the files about a run that need the templates: a picture of a lane, and the
// HTML player. It does not depend on HTTP. Start reading at [Lab], the page of a run, and at [Picture].
package view
