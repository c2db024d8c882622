// Package quiz generates the questions that a lecturer or a lesson asks about a run, and their answers.
//
// A question about the next events of a run, for example about the slot of a timer, has several options
// to choose from, and is asked in several lanes at once ([Quiz.Ask]). A lesson ([FindLesson]) is a list of steps, each at a tick of a built-in scenario. The
// numbers in its texts are computed from the run, so they cannot differ from what the page shows.
// Explanations of answers are keys with arguments; static/texts contains their texts. Start reading at
// [Quiz].
package quiz
