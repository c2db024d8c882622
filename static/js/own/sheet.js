// @ts-check
/**
 * The sheet "Your own wheel": an editor for a wheel in JavaScript, and the verdict of the judge. "Run" sends the
 * source to the judge. If the wheel is right, it becomes a lane of the displayed scenario. If not, the page opens
 * the smallest case that shows it, at the first wrong event, with the oracle's lane beside that of the wheel.
 */
import { html, setText } from "../core/dom.js";
import { request } from "../core/transport.js";
import { lineOf } from "../core/requests.js";
import { readStoredJSON, writeStored } from "../core/storage.js";
import { t } from "../core/texts.js";
import { SKELETONS } from "./skeletons.js";

/** Key of the stored draft: {source, slots, levels}. */
const DRAFT = "wheelscope.own";
/** Name of the lane. */
const LANE = "mine";

/**
 * @typedef {{kind: string, text: string}} Fault
 * @typedef {{name: string, cases: number, fault?: Fault, case?: {start?: number, ops: {do: string, key?: number, due?: number, to?: number}[]}}} Group
 * @typedef {{groups: Group[], score: number, first: number, run?: string, tick: number}} Verdict the answer of /api/try
 */

class OwnSheet {
  #busy = false;
  /** Shows the text of the text area in the editor. */
  #shown = () => {};
  /** The lane that the form shows, or "" for one that is not in the scenario. */
  #lane = "";

  /** @param {any} app @param {HTMLElement} box */
  constructor(app, box) {
    this.app = app;
    this.box = box;
    this.source = /** @type {HTMLTextAreaElement} */ (html("textarea", { id: "own-source", class: "own-source", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", maxlength: 32768 }));
    this.slots = number("own-slots", 2, 4096);
    this.levels = number("own-levels", 1, 8);
    this.skeleton = /** @type {HTMLSelectElement} */ (html("select", { id: "own-skeleton" }, html("option", { value: "" }, t("own.skeleton.choose")),
      ...Object.keys(SKELETONS).map((name) => html("option", { value: name }, t(`own.skeleton.${name}`)))));
    this.run = /** @type {HTMLButtonElement} */ (html("button", { class: "primary", type: "submit" }, t("own.run")));
    this.error = html("p", { class: "error", role: "alert" });
    this.verdict = html("div", { class: "own-verdict", role: "status" });
    const form = html("form", { class: "own-form", novalidate: "" },
      html("p", { class: "hint" }, t("own.hint")),
      html("div", { class: "fields" }, field(this.skeleton, t("own.skeleton")), field(this.slots, t("own.slots")), field(this.levels, t("own.levels"))),
      html("label", { for: "own-source", class: "label" }, t("own.source")), html("div", { class: "own-box" }, this.source),
      html("p", { class: "sheet-foot wraps" }, this.run), this.error, this.verdict);
    box.append(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#run();
    });
    this.skeleton.addEventListener("change", () => this.#fill(this.skeleton.value));
    this.source.addEventListener("keydown", (event) => this.#key(event));
    this.source.addEventListener("input", () => {
      this.#shown();
      this.#keep();
    });
    const draft = readStoredJSON(DRAFT);
    if (typeof draft?.source === "string") this.#show(draft);
    else this.#fill("rounds");
    editorOf(this.source, t("own.source"), () => this.#run()).then((show) => { this.#shown = show; show(); }, () => {}); // the text area remains
  }

  open() { this.begin(); }

  /** Shows the wheel of the displayed scenario, if it has one and it is not the one in the form. */
  begin() {
    const lanes = this.app.store.infos.filter((/** @type {any} */ l) => l.algorithm === "own");
    const info = lanes.find((/** @type {any} */ l) => l.id === this.box.dataset.lane) ?? lanes[0];
    this.#lane = info?.id ?? "";
    if (info && !this.#busy) this.#show(info.params);
  }

  /** Fills the form with a skeleton. @param {string} name */
  #fill(name) {
    if (!SKELETONS[name]) return;
    this.#show({ source: SKELETONS[name], slots: 8, levels: name === "hierarchical" ? 3 : 1 });
    this.skeleton.value = "";
  }

  /** @param {{source: string, slots: number, levels: number}} wheel */
  #show({ source, slots, levels }) {
    if (this.source.value !== source) this.source.value = source;
    this.#shown();
    [this.slots.value, this.levels.value] = [String(slots), String(levels)];
    this.#keep();
  }

  #keep() { writeStored(DRAFT, JSON.stringify(this.#wheel())); }

  #wheel() { return { source: this.source.value, slots: Number(this.slots.value), levels: Number(this.levels.value) }; }

  /** Ctrl+Enter runs. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#run();
    }
  }

  /** Sends the source to the judge and shows the verdict. */
  async #run() {
    if (this.#busy) return;
    this.#busy = true;
    this.run.disabled = true;
    setText(this.error, "");
    this.verdict.replaceChildren(html("p", {}, t("own.judging")));
    const wheel = this.#wheel();
    const answering = request(`${this.app.base}/api/try?${new URLSearchParams({ lang: this.app.lang })}`, { method: "POST", body: JSON.stringify(wheel) }).catch(() => null);
    this.app.trackRequest(answering);
    const answer = await answering;
    this.verdict.replaceChildren();
    if (!answer?.ok) setText(this.error, answer ? await lineOf(answer) : t("error.link"));
    else await this.#judged(wheel, await answer.json());
    this.run.disabled = false;
    this.#busy = false;
  }

  /** Shows a verdict, and the wheel in the page. @param {{source: string, slots: number, levels: number}} wheel @param {Verdict} v */
  async #judged(wheel, v) {
    this.verdict.replaceChildren(...verdictOf(v));
    const label = { key: "branch.own", values: {} };
    if (v.run) return this.#report(await this.app.edit("load", { run: v.run, tick: v.tick }, label));
    if (v.first >= 0) return; // it does not run
    const lane = { id: this.#lane || LANE, algorithm: "own", ...wheel };
    const fields = this.#lane ? { replace: this.#lane, with: lane } : { add: lane };
    this.#report(await this.app.edit("lane", fields, label));
  }

  /** @param {any} fault of a command, or null */
  #report(fault) { if (fault) setText(this.error, fault.path === "link" ? t("error.link") : fault.message); }
}

/** Returns what the page says about a verdict. @param {Verdict} v */
function verdictOf(v) {
  const tried = t("own.tried", { cases: v.groups.reduce((n, g) => n + g.cases, 0) });
  if (v.first < 0) return [html("p", { class: "own-right" }, t("own.right")), html("p", { class: "hint" }, tried)];
  const g = v.groups[v.first];
  const calls = [`create(${g.case?.start ?? 0})`, ...(g.case?.ops ?? []).map(callOf)];
  const where = v.run ? [html("p", {}, t("own.stands"))] : [];
  const groups = html("ul", { class: "own-groups" }, ...v.groups.map((group) => html("li", {}, t("own.group", {
    name: t(`own.group.${group.name}`), verdict: group.fault ? t(`own.kind.${group.fault.kind}`) : t(group.cases ? "own.kind.right" : "own.kind.none"),
  }))));
  return [html("p", { class: "own-wrong" }, g.fault?.text ?? ""), ...where, html("pre", { class: "own-case", tabindex: "0" }, calls.join("\n")), groups, html("p", { class: "hint" }, tried)];
}

/** @param {{do: string, key?: number, due?: number, to?: number}} op */
function callOf({ do: what, key = 0, due = 0, to = 0 }) {
  if (what === "schedule") return `schedule(${key}, ${due})`;
  return what === "cancel" ? `cancel(${key})` : `advance(${to})`;
}

/** Creates a control for a whole number. @param {string} id @param {number} min @param {number} max */
function number(id, min, max) { return /** @type {HTMLInputElement} */ (html("input", { id, type: "number", min, max, autocomplete: "off" })); }

/** @param {HTMLElement} control @param {string} label */
function field(control, label) { return html("div", { class: "field" }, html("label", { for: control.id }, label), control); }

/** Creates the sheet. @param {any} app @param {HTMLElement} box */
export const make = (app, box) => new OwnSheet(app, box);

/**
 * Shows an editor instead of area. The returned function shows the text of the area again, after a script has changed it.
 * @param {HTMLTextAreaElement} area @param {string} label @param {() => void} run what Ctrl+Enter does
 * @returns {Promise<() => void>}
 */
async function editorOf(area, label, run) {
  /** @type {any} */
  const cm = await import(new URL("../../js/vendor/codemirror/codemirror.js", import.meta.url).href);
  const host = document.createElement("div");
  host.className = "own-editor";
  area.before(host);
  area.hidden = true;
  const root = host.attachShadow({ mode: "open" });
  const colours = cm.HighlightStyle.define([
    { tag: [cm.tags.keyword, cm.tags.controlKeyword, cm.tags.definitionKeyword], color: "var(--accent)", fontWeight: "600" },
    { tag: cm.tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: [cm.tags.number, cm.tags.bool, cm.tags.string], color: "var(--good)" },
  ]);
  const look = cm.EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--sunk)", fontSize: ".85rem" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
    ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused": { outline: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)" },
    ".cm-matchingBracket": { outline: "1px solid var(--accent)" },
  });
  const view = new cm.EditorView({
    root, parent: root,
    state: cm.EditorState.create({
      doc: area.value,
      extensions: [
        cm.keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }, ...cm.defaultKeymap, ...cm.historyKeymap, cm.indentWithTab]),
        cm.lineNumbers(), cm.history(), cm.drawSelection(), cm.highlightActiveLine(), cm.indentOnInput(), cm.bracketMatching(), cm.indentUnit.of("  "),
        cm.javascript(), cm.syntaxHighlighting(colours), look,
        cm.EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        cm.EditorView.updateListener.of((/** @type {any} */ update) => {
          if (!update.docChanged) return;
          area.value = update.state.doc.toString();
          area.dispatchEvent(new Event("input"));
        }),
      ],
    }),
  });
  return () => {
    if (view.state.doc.toString() !== area.value) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: area.value } });
  };
}
