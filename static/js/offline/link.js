// @ts-check
/**
 * Takes the place of connection.js in a page with a recorded run. Commands are executed by a session in the page.
 */
import { Recording } from "./recording.js";
import { Session } from "./session.js";
import { eventInURL } from "./place.js";
import { t } from "../core/texts.js";
import { unpacked } from "./file.js";

/** @typedef {import("../core/connection.js").Fault} Fault */

/** The action of each command. @type {Record<string, (session: Session, fields: any) => void>} */
const COMMANDS = {
  play(session, { rate }) {
    if (rate !== undefined) session.speed(rate);
    session.play();
  },
  pause: (session) => session.pause(),
  speed: (session, { rate }) => session.speed(rate),
  step: (session, { by, n }) => session.step(by, n > 0),
  seek(session, { tick, seq }) {
    if (tick === undefined) session.seekSeq(Math.min(seq ?? 0, session.recording.events));
    else session.seekTick(Math.min(tick, session.recording.until));
  },
  state: (session) => session.seekSeq(session.cursor.seq),
};

export class Connection {
  isOpen = true;
  /** Number of commands in progress. It is 0, since commands are executed at once. */
  waiting = 0;

  /** @param {() => string} _address @param {(message: any) => void} receive */
  constructor(_address, receive) {
    this.session = new Session(new Recording(unpacked()), receive, document.body.dataset.lang ?? "en");
    connected = this;
  }

  connect() {
    this.session.begin(eventInURL() ?? unpacked().score.open);
  }

  /** Executes a command. Resolves to null, or to a fault if the page can't execute it. @param {string} name @param {any} [fields] @returns {Promise<Fault|null>} */
  async send(name, fields = {}) {
    const command = COMMANDS[name];
    if (!command) return { path: "", message: t("offline.cannot") };
    command(this.session, fields);
    return null;
  }
}

/** @type {Connection|null} */
let connected = null;

/** Returns the session that the page displays. */
export function session() {
  if (!connected) throw new Error("the page has no session yet");
  return connected.session;
}
