// @ts-check
/** The lecture that is made in this browser. It is stored there, and kept in memory if it can't be stored. */
import { readLecture } from "./lecture-file.js";
import { readStored, writeStored } from "../core/storage.js";

const KEY = "wheelscope.lecture";

/** @type {import("./lecture-file.js").Lecture|null} */
let memory = null;

export const draft = {
  /** Returns the lecture, or null if there is none. */
  read() {
    try {
      const stored = readStored(KEY);
      return stored ? readLecture(stored) : memory;
    } catch {
      return memory;
    }
  },
  /** Stores the lecture. @param {import("./lecture-file.js").Lecture} lecture */
  store(lecture) {
    memory = lecture;
    writeStored(KEY, JSON.stringify(lecture));
  },
};
