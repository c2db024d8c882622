// @ts-check
/**
 * The branches of the user's work. Every edit of a scenario creates another run, which is called a branch.
 * The branch and its parent are recorded in the browser, so that branches can be listed, named, undone and
 * reopened, even after a reload or in another tab. saved-scenarios.js stores the scenarios. This module does
 * not access the DOM; it notifies its views of changes.
 */
import { SAVED_KEY, savedRuns } from "./saved-scenarios.js";
import { readStoredJSON, writeStored } from "./storage.js";
import { t } from "./texts.js";

const KEY = "wheelscope.branches";
/** Maximum number of branches stored; the least recently used is removed first. */
const BRANCHES_MAX = 60;
/** Maximum length of a user-given name, in characters. */
export const BRANCH_NAME_MAX = 80;

/**
 * @typedef {{tick: number, seq: number}} Cursor
 * @typedef {{key: string, values: Record<string, string|number>}} Label description of an edit: the key of a
 *   text and its values
 * @typedef {object} Branch
 * @property {string} run digest of the run
 * @property {string} parent digest of the run from which it was edited, or "" if there is none
 * @property {string} scenario name of the scenario if it is built in, or else ""
 * @property {string} title title of the scenario @property {Label|null} label description of the edit
 * @property {string} name name given by the user, or else ""
 * @property {Cursor|null} from cursor in the parent at the time of the edit @property {number} tick tick of the edit
 * @property {number} used order in which branches were last displayed, from 1: the branch with the largest
 *   number was displayed last
 */

/**
 * @typedef {object} Edit an edit in progress
 * @property {string} parent @property {Label} label @property {Cursor} from
 * @property {number[]} ids ids of its commands, one of which the `hello` of the new run names
 * @property {boolean} lost whether the connection broke before the server answered
 */

export class Branches {
  /** Digest of the displayed run. */
  current = "";
  /** @type {Branch|null} the displayed run if it is not recorded as a branch */
  #root = null;
  /** @type {Edit|null} the edit in progress */
  #announced = null;
  /** @type {Branch[]} */
  #list = read();

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    addEventListener("storage", (event) => {
      if (event.key !== KEY && event.key !== SAVED_KEY) return;
      this.#list = read(); // another tab may have added a branch, or stored its scenario meanwhile
      this.changed();
    });
  }

  /**
   * Announces an edit of the displayed run. The caller adds the ids of its commands.
   * @param {Label} label @param {Cursor} from @returns {Edit}
   */
  announceEdit(label, from) {
    return (this.#announced = { parent: this.current, label, from, ids: [], lost: false });
  }

  /** Clears the announced edit. */
  clearAnnouncedEdit() { this.#announced = null; }

  /** Records that another run is displayed. @param {{run: string, scenario: string, title: string, ack: number, resumed: boolean}} what ack: id of the command that opened it, or 0; resumed: whether the page has joined its session again */
  runDisplayed({ run, scenario, title, ack, resumed }) {
    const made = this.#announced;
    const edit = made && (made.ids.includes(ack) || made.lost && resumed) ? made : null;
    if (edit || made?.lost) this.#announced = null;
    this.#list = read();
    const known = this.find(run);
    if (edit && edit.parent !== run && !known) this.#record(edit, run, title);
    else if (!known) this.#root = { run, parent: "", scenario, title, label: null, name: "", from: null, tick: 0, used: 0 };
    this.current = run;
    this.#touch(run);
    this.changed();
  }

  /** Adds the branch that an edit created. @param {Edit} edit @param {string} run @param {string} title */
  #record(edit, run, title) {
    if (!this.find(edit.parent) && this.#root?.run === edit.parent) this.#list.push(this.#root);
    this.#list.push({ run, parent: edit.parent, scenario: "", title, label: edit.label, name: "", from: edit.from, tick: edit.from.tick, used: 0 });
  }

  /** Marks a branch as the most recently displayed. @param {string} run */
  #touch(run) {
    const branch = this.find(run);
    if (!branch) return;
    branch.used = 1 + Math.max(0, ...this.#list.map((b) => b.used));
    this.#write();
  }

  /** Returns the branch of a run, or undefined if there is none. @param {string} run */
  find(run) { return this.#list.find((b) => b.run === run); }

  /** Returns the branches that can be opened: the displayed one, and those whose scenario is built in or stored. */
  get list() {
    const saved = savedRuns();
    return this.#list.filter((b) => b.scenario || b.run === this.current || saved.has(b.run));
  }

  /**
   * Returns the target of an undo: the parent branch, and its cursor at the time of the edit.
   * @returns {{branch: Branch, cursor: Cursor}|null}
   */
  get before() {
    const current = this.find(this.current);
    const parent = current && this.list.find((b) => b.run === current.parent);
    return parent && current.from ? { branch: parent, cursor: current.from } : null;
  }

  /**
   * Returns the target of a redo: the most recently displayed child branch.
   * @returns {{branch: Branch, cursor: Cursor}|null}
   */
  get after() {
    const made = this.list.filter((b) => b.parent === this.current).sort((a, b) => b.used - a.used);
    return made.length > 0 ? { branch: made[0], cursor: { tick: made[0].tick, seq: -1 } } : null;
  }

  /** Sets the user-given name of a branch; "" removes it. @param {string} run @param {string} name */
  rename(run, name) {
    const branch = this.find(run);
    if (!branch) return;
    branch.name = name.trim().slice(0, BRANCH_NAME_MAX);
    this.#write();
    this.changed();
  }

  /** Removes a branch; its children become children of its parent. @param {string} run */
  remove(run) {
    const gone = this.find(run);
    if (!gone || run === this.current) return;
    this.#list = this.#list.filter((b) => b.run !== run);
    for (const branch of this.#list) {
      if (branch.parent === run) branch.parent = gone.parent;
    }
    this.#write();
    this.changed();
  }

  #write() {
    while (this.#list.length > BRANCHES_MAX) {
      const spare = this.#list.filter((b) => b.run !== this.current).sort((a, b) => a.used - b.used);
      this.#list.splice(this.#list.indexOf(spare[0]), 1);
    }
    writeStored(KEY, JSON.stringify(this.#list));
  }
}

/** Returns the valid branches in the storage. @returns {Branch[]} */
function read() {
  const list = readStoredJSON(KEY);
  return Array.isArray(list) ? list.filter((b) => typeof b?.run === "string" && typeof b.parent === "string" && typeof b.used === "number") : [];
}

/**
 * Returns the display name of a branch: the name given by the user, the description of the edit or, if there
 * is neither, the title.
 * @param {Branch} branch
 */
export function branchName(branch) {
  if (branch.name) return branch.name;
  return branch.label ? t(branch.label.key, branch.label.values) : branch.title;
}
