// Package lecture reads lectures: files with a list of stops, each of which is one instant of one run with a note and
// perhaps a question. docs/LECTURE.md and docs/lecture.schema.json describe the format.
//
// The numbers in the texts are computed from the run, so they cannot differ from what the page shows. [Checker] finds the
// stops that do not exist. Start reading at [Lecture].
package lecture
