// Package quiz makes the questions that a lecturer or a lesson asks about a run, with their answers.
//
// A question about the next events of a run, such as the slot of a timer, comes with choices of
// which one is right. A lesson ([FindLesson]) is a list of steps at instants of a built-in scenario,
// whose numbers are taken from the run, so that its text cannot differ from what the page shows.
// Texts are keys with arguments; static/texts has them.
package quiz
