// @ts-check
/**
 * The page of the laboratory: creates the components and connects them. Messages are passed to the
 * store. The lanes, the player and the story show the state of the store. Keys and buttons send commands.
 * Start reading here, then state/store.js and page/lanes.js.
 */
import { AddTimer } from "./page/add-timer.js";
import { Branches } from "./core/branches.js";
import { Connection, OwnSession, faultText } from "./core/connection.js";
import { Lanes } from "./page/lanes.js";
import { FollowedTimer } from "./page/follow.js";
import { FrameLoop } from "./core/frame-loop.js";
import { Player } from "./page/player.js";
import { Store } from "./state/store.js";
import { StoryView } from "./story/view.js";
import { Timeline } from "./page/timeline/timeline.js";
import { requestedRun, saveScenario, storeCursor, storedCursor, query, readScenario } from "./core/saved-scenarios.js";
import { byId, setAttr, setText } from "./core/dom.js";
import { listen } from "./core/keys.js";
import { listenForFiles } from "./page/files.js";
import { load, untilRecorded } from "./core/load-command.js";
import { setTexts, t } from "./core/texts.js";
import { canStore } from "./core/storage.js";
import { requestScenario } from "./core/requests.js";
import { URLWriter } from "./core/url-writer.js";

/** Time for which an edit whose connection broke waits for the session, in milliseconds. */
const RESUMED_MS = 30_000;
/** Pause before the state of the lanes is requested again, in milliseconds. */
const STATE_MS = 1000;
/** Display time of a success message, in milliseconds. */
const MESSAGE_MS = 4000;

/** Downloads of a run, as pairs: the suffix of the link's id, and the URL without the base path and the run. */
const DOWNLOADS = [["scenario", "scenario?"], ["trace", "trace?"], ["perfetto", "trace?as=perfetto&"], ["csv", "trace?as=csv&"], ["html", "trace?as=html&"]];

class App {
  /** Not during playback. */
  url = new URLWriter(() => (this.store.hello && !this.store.player.playing ? this.#viewURL(this.lang) : ""));
  /** Digest of the displayed run if its scenario is the user's own and stored in the browser, or else "". */
  #ownDigest = requestedRun();
  /** Digest of the run that the URL names, which only the server has, or "". */
  #requestedRun = shownRun();
  #custom = false;
  /** Session of another page that this page shows, or "". The URL keeps it, so that a reload shows it again. */
  #watched = new URLSearchParams(location.search).get("session") ?? "";
  /** Called when the server has announced a run, with whether the page has joined its session again. @type {(resumed: boolean) => void} */
  #resumed = () => {};
  /** Cursor to restore when the user's own scenario is reopened after a reload or a lost connection, or null. @type {{tick: number, seq: number}|null} */
  #returnCursor = null;
  /** The run and the event to seek to once that run is displayed, since a load command has only a tick; or null. @type {{run: string, seq: number}|null} */
  #resumeAt = null;
  /** Digest of the run that the server last announced on this connection, or "" if there is none. */
  #serverRun = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  linkTimer = undefined;
  /** Resolves when the edit in progress, if any, has ended. @type {Promise<any>} */
  #pendingEdit = Promise.resolve(null);
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  toastTimer = undefined;
  /** Number of requests in progress that were registered with trackRequest. */
  #pendingResults = 0;

  /** @param {((app: any) => import("./page/feature.js").Feature)[]} features */
  constructor(features) {
    const { base = "", scenario = "", lang = "en" } = document.body.dataset;
    this.base = base;
    this.scenario = scenario;
    this.lang = lang;
    this.main = /** @type {HTMLElement} */ (document.querySelector("main"));
    this.store = new Store();
    this.loop = new FrameLoop(() => this.#draw());
    this.link = new Connection((own) => this.#socketURL(own), (m, resumed) => this.#receive(m, resumed), (s, seconds, why) => this.#showLink(s, seconds, why), new OwnSession(), () => this.#markPending());
    const send = (/** @type {keyof Message.Commands} */ name, /** @type {any} */ fields) => this.#send(name, fields);
    this.player = new Player(this.store, send, () => this.link.waiting, () => this.loop.request());
    this.lanes = new Lanes(this.store, lang, () => this.loop.request());
    this.lanes.dragged = () => this.player.dragging;
    this.story = new StoryView(this, () => this.player.words());
    this.timeline = new Timeline(this.store, () => this.loop.request());
    this.branches = new Branches(() => {});
    this.add = new AddTimer(this.store, (fields) => this.edit("op", { ...fields, tick: this.store.tick }, { key: `branch.${fields.op}`, values: { name: fields.timer, tick: this.store.tick } }));
    this.follow = new FollowedTimer(this);
    /** @type {any} the feature that shares runs and imports files; it sets this field itself */
    this.share = null;
    /** @type {import("./page/lectures.js").Lectures|undefined} the feature that plays lectures; it sets this field itself */
    this.lectures = undefined;
    /** @type {import("./page/panes.js").Panes|undefined} the feature that opens panes; it sets this field itself */
    this.panes = undefined;
    /** @type {import("./page/views.js").Views} the feature that lays out the lanes; it sets this field itself */
    this.views = /** @type {any} */ (null);
    /** @type {import("./page/feature.js").Feature[]} */
    this.features = [this.follow, ...features.map((make) => make(this))];
    this.#listen();
  }

  start() {
    const q = new URLSearchParams(location.search);
    const stored = storedCursor(location.search);
    if (this.#ownDigest) this.#returnCursor = stored ?? { tick: Number(q.get("t") ?? 0), seq: Number(q.get("seq") ?? 0) };
    this.store.tick = stored?.tick ?? Number(this.main.dataset.now);
    this.store.seq = stored?.seq ?? Number(this.main.dataset.seq);
    this.link.connect();
  }

  #listen() {
    listen((action, held) => this.#act(action, held));
    listenForFiles(() => this.store.hello?.limits, {
      open: (text, file) => this.#load(text, file), play: (text) => void this.lectures?.open(text, 0), importFile: (file) => this.share.importFile(file), refuse: (m) => this.#problem(m), say: (m) => this.say(m),
    });
    byId("lanes").addEventListener("click", (/** @type {MouseEvent} */ e) => {
      const id = e.detail > 1 ? 0 : this.lanes.timerOf(e); // ignore the second click of a double click
      if (id) this.follow.toggle(id);
    });
    byId("keys-open").addEventListener("click", () => byId("keys").showModal());
    for (const link of document.querySelectorAll("[data-lang-to]")) {
      link.addEventListener("click", () => link.setAttribute("href", this.#viewURL(/** @type {HTMLElement} */ (link).dataset.langTo ?? "en")));
    }
    document.getElementById("simple")?.addEventListener("click", (event) => this.#leave(/** @type {HTMLAnchorElement} */ (event.currentTarget)));
    addEventListener("pagehide", () => this.#saveForReload());
  }

  /** Puts what the page shows into the link to the entry view. @param {HTMLAnchorElement} link */
  #leave(link) {
    const url = new URL(link.href);
    const { run, tick, seq } = this.store;
    if (this.#custom && !document.body.dataset.script) { // a static site has only its own scenarios
      url.searchParams.delete("scenario");
      url.searchParams.set("run", run);
    }
    for (const [name, value] of Object.entries({ t: tick, seq })) url.searchParams.set(name, String(value));
    link.href = url.href;
  }

  /** Executes a key action. @param {string} action an action defined in keys.js @param {boolean} held whether the key repeats */
  #act(action, held) {
    if (action === "help") byId("keys").showModal();
    else if (this.features.some((f) => f.act?.(action, held))) return;
    else this.player.act(action.replace(/^page-/, "step-"), held); // a clicker steps if it shows no stops
  }

  /** Sends a command and shows a refusal in the page header. Called by features. @param {keyof Message.Commands} name @param {any} [fields] */
  send(name, fields) { return this.#send(name, fields); }

  /** Sends a command and shows a refusal in the page header. @param {keyof Message.Commands} name @param {any} [fields] */
  async #send(name, fields) {
    const fault = await (name === "load" ? load(this, fields) : this.link.send(name, fields));
    if (!fault || fault.path === "link") this.#problem(""); // the header reports the state of the link by itself
    else this.#problem(faultText(fault));
    return fault;
  }

  /** Opens a built-in scenario by name. @param {string} name */
  openScenario(name) {
    location.assign(`${this.base}/${query({ scenario: name, mine: "", tick: 0, seq: 0, lang: this.lang })}`);
  }

  /** Opens a scenario file. @param {string} text content of the file @param {string} file name of the file */
  async #load(text, file) {
    this.#problem("");
    const { hasOwn, mayRun } = await import("./share/arrival.js");
    if (hasOwn(text) && !await mayRun(file)) return;
    const fault = await this.edit("load", { text }, { key: "branch.file", values: { file } });
    if (fault && fault.path !== "link") this.#problem(t("error.file", { file, message: faultText(fault) }));
  }

  /**
   * Sends a command that creates another run, and records the new run as a branch of the displayed one. If an
   * edit is in progress, waits for its end.
   * @param {keyof Message.Commands} name @param {any} fields @param {import("./core/branches.js").Label} label
   */
  edit(name, fields, label) {
    const { run, tick, seq } = this.store;
    const turn = this.#pendingEdit.catch(() => {}).then(() => this.#edit(name, fields, label, { tick, seq: run === this.store.run ? seq : -1 }));
    this.#pendingEdit = turn; // sequential, so that each run is attributed to the edit that created it
    return turn;
  }

  /**
   * Sends the command of an edit and records the branch it creates.
   * @param {keyof Message.Commands} name @param {any} fields @param {import("./core/branches.js").Label} label
   * @param {{tick: number, seq: number}} from cursor at which the user made the edit; seq is −1 for the end of the tick
   */
  async #edit(name, fields, label, from) {
    const edit = this.branches.announceEdit(label, from);
    const fault = await (name === "load" ? load(this, fields, { clamp: true, sent: (id) => edit.ids.push(id) }) : untilRecorded(this, () => {
      const sending = this.link.send(name, { run: this.store.run, ...fields });
      edit.ids.push(this.link.lastId);
      return sending;
    }));
    edit.lost = Boolean(fault?.sent);
    const done = edit.lost && await Promise.race([new Promise((resolve) => { this.#resumed = resolve; }), new Promise((resolve) => setTimeout(resolve, RESUMED_MS))]) && this.store.run !== edit.parent;
    this.branches.clearAnnouncedEdit();
    return done ? null : fault;
  }

  /** Displays a recorded branch. @param {import("./core/branches.js").Branch} branch @param {{tick: number, seq: number}} cursor seq is −1 for the end of the tick */
  async goTo({ run, scenario }, { tick, seq }) {
    /** @type {any} */
    const fields = scenario ? { scenario } : { text: readScenario(run) };
    if (fields.text === null) return { path: "", message: t("error.gone") };
    if (tick !== 0 || seq !== 0) fields.tick = tick;
    this.#resumeAt = seq > 0 ? { run, seq } : null;
    return load(this, fields, { clamp: true });
  }

  /** Displays a message for MESSAGE_MS. @param {string} message */
  say(message) {
    const box = byId("toast");
    clearTimeout(this.toastTimer);
    box.hidden = false;
    setText(box, message);
    this.toastTimer = setTimeout(() => { box.hidden = true; }, MESSAGE_MS);
  }

  /**
   * Reports whether the server knows the displayed run, so that requests about the run can be sent. A restarted
   * server does not know it until the page has sent it again.
   */
  get served() { return this.link.isOpen && this.#serverRun === this.store.run; }

  /** Passes a message from the server to the store and to the parts of the page. @param {any} message @param {boolean} resumed whether a `hello` is of the page's own session */
  #receive(message, resumed) {
    if (message.kind === "hello") this.#serverRun = message.run;
    if (resumed) this.#returnCursor = null; // the session is restored at the same cursor
    switch (this.store.receive(message)) {
      case "hello":
        this.#begin(resumed);
        this.#resumed(resumed);
        break;
      case "state": this.story.moved(); this.#moved(); this.#resumeCursor(); break;
      case "delta": this.story.moved(); this.#moved(); break;
      case "player": this.#played(); break;
      case "resync": this.#requestState(); break;
      case "timeline": this.loop.request(); break;
      case "ack": case "ignored": break;
    }
    for (const f of this.features) f.received?.(message);
  }

  /** Requests the state of the lanes, until the server sends it. */
  async #requestState() {
    const fault = await this.link.send("state");
    if (fault && this.link.isOpen && this.store.outOfSync) setTimeout(() => this.#requestState(), STATE_MS);
  }

  /** Updates the page for another run, which a `hello` has announced. @param {boolean} [resumed] whether the page has joined its session again */
  #begin(resumed = false) {
    const { scenario, limits, driver, ack = 0 } = /** @type {Message.Hello} */ (this.store.hello);
    setAttr(this.main, "data-settled", "false");
    if (this.#returnCursor && this.#reopen()) return;
    this.lanes.begin();
    this.player.begin();
    this.timeline.begin();
    if (!driver) this.#showViewer();
    const called = scenario.title || scenario.name || t("scenario.unnamed");
    setText(byId("title"), called);
    setText(byId("summary"), scenario.summary);
    setText(byId("question").lastElementChild, scenario.question);
    byId("question").hidden = !scenario.question;
    document.title = `${called} · Wheelscope`;
    for (const [what, path] of DOWNLOADS) document.getElementById(`export-${what}`)?.setAttribute("href", `${this.base}/${path}run=${this.store.run}`);
    const race = /** @type {HTMLAnchorElement|null} */ (document.getElementById("race-link"));
    if (race && !document.body.dataset.script) race.href = `${this.base}/race?${new URLSearchParams({ run: this.store.run, lang: this.lang })}`; // a static site does not measure
    this.#custom = scenario.custom;
    this.#ownDigest = "";
    this.#requestedRun = scenario.custom ? this.store.run : ""; // until the browser has stored it
    if (scenario.custom) this.#saveScenario(limits);
    else this.scenario = scenario.name;
    this.branches.runDisplayed({ run: this.store.run, scenario: scenario.custom ? "" : scenario.name, title: called, ack, resumed });
    this.#showScenarioName();
    for (const f of this.features) f.begin?.();
  }

  /** Shows that another client controls the session, so that commands of this page would be refused. */
  #showViewer() {
    clearTimeout(this.linkTimer);
    byId("link").hidden = false;
    setText(byId("link"), t("link.viewer"));
  }

  /** Reopens the user's own scenario. Returns false if the browser no longer has it. */
  #reopen() {
    const back = this.#returnCursor;
    const text = readScenario(this.#ownDigest);
    this.#returnCursor = null;
    if (text === null) this.#problem(t("error.gone"));
    if (!back || text === null) return false;
    this.#resumeAt = { run: this.#ownDigest, seq: back.seq };
    this.#send("load", { text, ...(back.tick || back.seq ? { tick: back.tick } : {}) }).then((fault) => {
      if (!fault || !this.link.isOpen) return;
      this.#begin(); // refused: show the server's own run, and the reason
      this.#moved();
    });
    return true;
  }

  /** Seeks to the event in #resumeAt if the displayed run is the one in #resumeAt, and clears #resumeAt. */
  #resumeCursor() {
    if (this.#resumeAt?.run !== this.store.run) return;
    if (this.#resumeAt.seq !== this.store.seq) this.link.send("seek", { seq: this.#resumeAt.seq });
    this.#resumeAt = null;
  }

  /** Stores the displayed scenario in the browser. @param {any} limits limits of the server, such as scenarioBytes */
  async #saveScenario(limits) {
    const { run } = this.store;
    const text = await requestScenario(this, run);
    if (text === null || run !== this.store.run) return;
    if (text.length > (limits?.scenarioBytes ?? Infinity) || !saveScenario(run, text)) this.#problem(t(canStore() ? "error.keep" : "error.storage"));
    else this.#ownDigest = run;
    this.url.write(); // at once: a reload must find this run, not the previous one
  }

  /** Shows the name of the displayed scenario on the button for choosing a scenario. */
  #showScenarioName() {
    const { name = "", title = "" } = this.store.hello?.scenario ?? {};
    const called = (this.#custom ? name || title : title || name) || t("scenario.unnamed");
    setText(byId("scenario-title"), this.#custom ? t("scenario.mine", { name: called }) : called);
    setAttr(byId("scenario"), "data-scenario", this.#custom ? "" : this.scenario);
  }

  /** Redraws the page after a change of the layout, and writes the layout to the URL. Called by the views. */
  layoutChanged() {
    this.lanes.stale = true;
    this.story.lead();
    this.url.request();
  }

  /** Updates the page after the cursor has moved. */
  #moved() {
    setAttr(this.main, "data-settled", "false");
    setAttr(this.main, "data-now", this.store.tick);
    setAttr(this.main, "data-seq", this.store.seq);
    this.url.request();
    for (const f of this.features) f.moved?.();
    this.loop.request();
  }

  /** Handles the start or the end of a command: sends a waiting seek, and clears data-settled until all is drawn. */
  #markPending() {
    this.player.answered();
    setAttr(this.main, "data-settled", "false");
    this.loop.request();
  }

  /** Keeps data-settled "false" until a request has ended. Called by features. @param {Promise<any>} thing settles when the request ends */
  trackRequest(thing) {
    this.#pendingResults++;
    setAttr(this.main, "data-settled", "false");
    thing.finally(() => {
      this.#pendingResults--;
      this.loop.request();
    });
  }

  #played() {
    if (!this.store.player.playing) this.story.again();
    this.url.request();
    this.loop.request();
  }

  /** Draws one frame. Returns whether another frame is needed. */
  #draw() {
    let more = this.lanes.draw(this.follow.id);
    const { playing } = this.store.player;
    this.player.update();
    this.timeline.draw(this.player.goal);
    this.follow.update(!playing && !more);
    this.add.update(this.store.tick);
    if (this.lanes.busy) more = true;
    else for (const f of this.features) if (f.draw?.()) more = true;
    setAttr(this.main, "data-settled", String(!more && this.store.rest && !playing && this.store.lanes.length > 0 && this.link.waiting + this.#pendingResults === 0 && !this.player.late));
    return more;
  }

  /** Saves the cursor when the page is closed. It is also stored outside the URL, because a reload ignores a change of the URL at this time. */
  #saveForReload() {
    const { tick, seq } = this.store;
    if (this.store.hello) storeCursor(location.search, tick, seq);
    this.url.write();
  }

  /** Returns the URL of the current view. @param {string} lang */
  #viewURL(lang) {
    const { tick, seq } = this.store;
    const mine = this.#custom ? this.#ownDigest : "";
    const run = this.#custom ? this.store.run : "";
    return `${this.base}/${query({ session: this.#watched, scenario: this.#custom ? "" : this.scenario, mine, run, tick, seq, lang, follow: this.follow.id, pane: this.panes?.inURL, view: this.views.inURL, played: this.lectures?.inURL })}`;
  }

  /** @param {URLSearchParams|null} own query of the page's own session, or null */
  #socketURL(own) {
    const { tick, seq, hello } = this.store;
    if (hello && this.#ownDigest && !this.#watched) this.#returnCursor = { tick, seq };
    const q = (this.#watched ? null : own) ?? new URLSearchParams([this.#watched ? ["session", this.#watched] : this.#requestedRun && !this.#ownDigest ? ["run", this.#requestedRun] : ["scenario", this.scenario]]);
    q.set("lang", this.lang);
    if (!q.has("session") && !this.#ownDigest && (tick || seq)) {
      q.set("t", String(tick));
      q.set("seq", String(seq));
    }
    return `${location.protocol.replace("http", "ws")}//${location.host}${this.base}/ws?${q}`;
  }

  /** Shows in the page header why a request can't be fulfilled. Called by features. @param {string} message */
  problem(message) { this.#problem(message); }

  /** Shows an error in the page header; "" removes it. @param {string} message */
  #problem(message) {
    const box = byId("problem");
    box.hidden = !message;
    setText(box.lastElementChild, message);
  }

  /** Shows the state of the connection. @param {"open"|"lost"} state @param {number} seconds time until the next attempt @param {string} why reason given by the server */
  #showLink(state, seconds, why) {
    const box = byId("link");
    const wasShown = !box.hidden;
    clearTimeout(this.linkTimer);
    if (state === "lost") this.#serverRun = "";
    if (state === "open" && !wasShown) return;
    box.hidden = false;
    setText(box, state === "open" ? t("link.back") : t(why ? "link.why" : "link.lost", { why, s: seconds }));
    if (state === "open") this.linkTimer = setTimeout(() => { box.hidden = true; }, MESSAGE_MS);
  }
}

/** Returns the digest of the run that the server has rendered, if it is in no scenario of the server, or else "". */
function shownRun() {
  const { socket = "" } = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
  return new URLSearchParams(socket.split("?")[1]).get("run") ?? "";
}

/**
 * Starts the page.
 * @param {((app: any) => import("./page/feature.js").Feature)[]} features functions that create the features of the page
 */
export function start(features) {
  setTexts(JSON.parse(byId("texts").textContent));
  new App(features).start();
}
