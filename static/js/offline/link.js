// @ts-check
/**
 * Stands in the place of connection.js in a page that is a file: the commands of the
 * page go to a session in the file, not to a socket.
 */
import { Recording } from "./recording.js";
import { Session } from "./session.js";
import { asked } from "./place.js";
import { t } from "../texts.js";
import { unpacked } from "./file.js";

/** @typedef {import("../connection.js").Fault} Fault */

/** What a command does. @type {Record<string, (session: Session, fields: any) => void>} */
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
  /** Nothing waits: what is asked is done at once. */
  waiting = 0;

  /** @param {() => string} _address @param {(message: any) => void} receive */
  constructor(_address, receive) {
    this.session = new Session(new Recording(unpacked()), receive, document.body.dataset.lang ?? "en");
    connected = this;
  }

  connect() {
    this.session.begin(asked() ?? unpacked().score.open);
  }

  /** Does a command. Resolves to null, or to why it can't be done in a file. @param {string} name @param {any} [fields] @returns {Promise<Fault|null>} */
  async send(name, fields = {}) {
    const command = COMMANDS[name];
    if (!command) return { path: "", message: t("offline.cannot") };
    command(this.session, fields);
    return null;
  }
}

/** @type {Connection|null} */
let connected = null;

/** The session that the page looks at. */
export function session() {
  if (!connected) throw new Error("the page has no session yet");
  return connected.session;
}
