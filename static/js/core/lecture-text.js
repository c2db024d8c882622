// @ts-check
/** How a file with a lecture is recognised, and passed from one page of a tab to the next. This module does not access the DOM. */

/** Key in the tab's storage of a lecture that was dropped on another page, and its name in a URL. */
export const DROPPED = "wheelscope.dropped";

/** Limits on the size of a lecture in bytes, and on the characters of a note and of what only the presenter sees, as in sim/lecture/lecture.go. */
export const LECTURE_BYTES_MAX = 1 << 20;
export const NOTE_MAX = 240;
export const SCRIPT_MAX = 4000;

/** Number of leading characters in which the kind of a file is looked for. */
const LOOK = 4096;

/** Reports whether a text begins like a lecture, which may be a bad one. @param {string} text */
export const isLecture = (text) => /^\s*\{/.test(text) && /[{,]\s*"kind"\s*:\s*"lecture"/.test(text.slice(0, LOOK));
