// @ts-check
/**
 * A feature of the page: lectures. It opens the lecture that the URL names or contains, and passes keys to the lecture that is
 * played. The modules for these are imported when they are needed.
 */
import { t } from "../core/texts.js";

/** Beginning of the fragment of a URL that contains a lecture; see learn/lecture-file.js. */
const IN_URL = "#lecture=";

/**
 * @typedef {object} Played the lecture that is played; see learn/lecture.js
 * @property {string} name @property {number} at
 * @property {(at: number) => void} go @property {{open: () => void}} presenter @property {() => void} close
 * @property {() => void} begin @property {() => void} moved @property {() => void} draw
 */

export class Lectures {
  /** The lecture that is played, or null. @type {Played|null} */
  played = null;
  #requested = new URLSearchParams(location.search).get("lecture") ?? "";
  #stop = Number(new URLSearchParams(location.search).get("stop") ?? 1) - 1;

  /**
   * @param {any} app @param {() => Promise<{open: (app: any, name: string, stop: number) => Promise<void>}>} load imports learn/lecture.js
   * @param {{lecture: any, stop: number}} [given] the lecture of a page that is a file, and the stop at which it opens
   */
  constructor(app, load, given) {
    this.app = app;
    this.load = load;
    /** The lecture of a page that is a file. */
    this.given = given?.lecture;
    app.lectures = this;
    if (given) {
      this.#requested = "file";
      this.#stop = given.stop;
      return;
    }
    if (location.hash.startsWith(IN_URL)) this.#requested = location.hash;
    addEventListener("hashchange", (event) => {
      const { hash } = new URL(event.newURL);
      if (hash.startsWith(IN_URL)) this.open(hash);
    });
  }

  /** The part of the URL of the page that opens the lecture again, or null. */
  get inURL() { return this.played ? { lecture: this.played.name, stop: this.played.at + 1 } : null; }

  /** Opens a lecture. @param {string} name names or contains a lecture; see learn/lecture.js @param {number} [stop] */
  async open(name, stop = -1) {
    const module = await this.load().catch(() => null);
    if (module) await module.open(this.app, name, stop);
    else this.app.problem(t("pane.failed"));
  }

  begin() {
    const name = this.#requested;
    this.#requested = "";
    if (name) this.open(name, this.#stop);
    this.played?.begin();
  }

  moved() { this.played?.moved(); }

  draw() { this.played?.draw(); }

  /** Handles the keys of a presenter's clicker, and that of the presenter's window. @param {string} action @param {boolean} held */
  act(action, held) {
    const { played } = this;
    if (!played) return false;
    if (action === "page-next" && !held) played.go(played.at + 1);
    else if (action === "page-back" && !held) played.go(played.at - 1);
    else if (action === "until-next") played.presenter.open();
    return ["page-next", "page-back", "until-next"].includes(action);
  }
}
