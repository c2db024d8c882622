// Package quiz generates the questions that a lecturer or a lecture asks about a run, and their answers.
//
// A question about the next events of a run, for example about the slot of a timer, has several options
// to choose from, and is asked in several lanes at once ([Quiz.Ask]). Explanations of answers are keys with
// arguments; static/texts contains their texts. Start reading at [Quiz].
package quiz
