// @ts-check
/**
 * The lectures of this browser: "mine", which the user makes, and "opened", which came from a link or a file. They are stored there,
 * and kept in memory if they can't be stored.
 */
import { readLecture } from "./lecture-file.js";
import { readStored, writeStored } from "../core/storage.js";

/** @typedef {import("./lecture-file.js").Lecture} Lecture */
/** @typedef {"mine"|"opened"} Name */

/** @type {Record<Name, string>} */
const KEYS = { mine: "wheelscope.lecture", opened: "wheelscope.lecture.opened" };

/** @type {Partial<Record<Name, Lecture>>} */
const memory = {};

export const draft = {
  /** Returns a lecture, or null if there is none. @param {Name} [name] @returns {Lecture|null} */
  read(name = "mine") {
    try {
      const stored = readStored(KEYS[name]);
      return stored ? readLecture(stored) : memory[name] ?? null;
    } catch {
      return memory[name] ?? null;
    }
  },
  /** Stores a lecture. @param {Lecture} lecture @param {Name} [name] */
  store(lecture, name = "mine") {
    memory[name] = lecture;
    writeStored(KEYS[name], JSON.stringify(lecture));
  },
  /** Stores a lecture that came from elsewhere: the user's own one, if there is any, is kept. Returns its name. @param {Lecture} lecture @returns {Name} */
  keep(lecture) {
    const own = draft.read();
    const name = own?.stops.length && JSON.stringify(own) !== JSON.stringify(lecture) ? "opened" : "mine";
    draft.store(lecture, name);
    return name;
  },
};
