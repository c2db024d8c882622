// @ts-check
/**
 * The workload editor: a form, and next to it the JSON of the scenario, which is sent to the server. A change
 * in one updates the other. Unapplied changes are stored for the tab, so that they are not lost on a reload.
 */
import { button, byId, html, setText, signButton } from "../core/dom.js";
import { t } from "../core/texts.js";
import { TEXT_MAX, format, lineSpan, parse } from "./json.js";
import { readStoredJSON, writeStored } from "../core/storage.js";
import { requestScenario } from "../core/requests.js";
import { ARRIVALS, COLUMNS, LENGTHS, OPS, freshDist, freshGroup, read, show } from "./fields.js";

const DRAFT = "wheelscope.draft";
/** Time from the last key press until the text is parsed, in milliseconds. */
const READ_MS = 250;

class WorkloadSheet {
  /** The text without unapplied changes: the formatted scenario from the server, or the text applied last. */
  #receivedText = "";
  /** Digest of the run that the text belongs to. */
  #run = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.text = /** @type {HTMLTextAreaElement} */ (byId("workload-json"));
    this.form = new WorkloadForm(byId("workload-form"), (scenario) => this.#write(format(scenario)));
    this.text.addEventListener("input", () => this.#typed());
    this.text.addEventListener("blur", () => this.#readNow());
    this.text.addEventListener("scroll", () => { byId("workload-lines").scrollTop = this.text.scrollTop; });
    byId("workload-apply").addEventListener("click", () => this.#apply());
    byId("workload-reset").addEventListener("click", () => this.#fetch());
    byId("workload-sheet").addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => {
      if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) this.#apply();
    });
  }

  get #dirty() { return this.text.value !== this.#receivedText; }

  open() {
    if (this.#dirty) return;
    const draft = drafted();
    if (draft) this.#restore(draft);
    else this.#fetch();
  }

  /** Loads the scenario of the displayed run, unless the editor has it already or has unapplied changes. */
  begin() { if (!this.#dirty && this.#run !== this.app.store.run) this.#fetch(); }

  /** Restores unapplied changes from before a reload. @param {{run: string, text: string}} draft */
  #restore(draft) {
    this.#run = draft.run;
    this.#receivedText = "";
    this.#write(draft.text);
    this.#read();
  }

  /** Loads the scenario of the displayed run. */
  async #fetch() {
    const { run } = this.app.store;
    this.#report(null);
    const text = await requestScenario(this.app, run);
    if (text === null) return this.#report({ path: "link", message: "" });
    if (text.length > TEXT_MAX) return this.#tooLarge(text.length);
    this.#run = run;
    this.#receivedText = format(parse(text));
    this.#write(this.#receivedText);
    this.#read();
  }

  /** Shows that the scenario is too large for the editor. @param {number} size */
  #tooLarge(size) {
    this.#receivedText = "";
    this.#write("");
    this.form.box.replaceChildren();
    setText(byId("workload-error"), t("workload.large", { size, max: TEXT_MAX }));
  }

  /** Writes a text into the text area. @param {string} text */
  #write(text) {
    this.text.value = text;
    this.#number(0);
    this.#mark();
  }

  #typed() {
    this.#number(0);
    this.#mark();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), READ_MS);
  }

  /**
   * Parses the text at once if it has changed since it was last parsed. Otherwise the user could edit the form
   * while it still shows the text before the change.
   */
  #readNow() { if (this.#timer !== undefined) this.#read(); }

  /** Shows the text in the form, if it can be parsed. */
  #read() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      const scenario = parse(this.text.value);
      if (typeof scenario !== "object" || scenario === null || Array.isArray(scenario)) throw new SyntaxError();
      this.form.show(scenario);
      this.form.box.inert = false;
    } catch {
      this.form.box.inert = true; // because it shows the last text that could be parsed
    }
    byId("workload-form").classList.toggle("stale", this.form.box.inert);
  }

  /** Shows whether there are unapplied changes, and stores them. */
  #mark() {
    const dirty = this.#dirty;
    byId("workload-dirty").hidden = !dirty;
    keepDraft(dirty && this.text.value.length <= TEXT_MAX ? { run: this.#run, text: this.text.value } : null);
  }

  /**
   * Shows the line numbers, and marks the line with a fault.
   * @param {number} fault number of the line, or 0 if there is no fault
   */
  #number(fault) {
    const n = this.text.value.split("\n").length;
    setText(byId("workload-lines"), Array.from({ length: n }, (_, i) => (i + 1 === fault ? `▶ ${i + 1}` : String(i + 1))).join("\n"));
  }

  async #apply() {
    this.#readNow();
    this.#report(null);
    const text = this.text.value;
    const { tick, seq } = this.app.store;
    const fields = tick === 0 && seq === 0 ? { text } : { text, tick };
    const fault = await this.app.edit("load", fields, { key: "branch.workload", values: {} });
    if (fault) return this.#report(fault);
    this.#receivedText = text;
    this.#run = this.app.store.run;
    this.#mark();
    setText(byId("workload-done"), t("making.applied"));
  }

  /** Shows a fault in the header, next to its field, and at its line. @param {import("../core/connection.js").Fault|null} fault */
  #report(fault) {
    this.form.report(null);
    this.#number(fault?.line ?? 0);
    setText(byId("workload-done"), "");
    const line = byId("workload-error");
    if (!fault) return setText(line, "");
    if (fault.path === "link") return setText(line, t("error.link"));
    const words = fault.path ? t("error.at", { ...fault }) : fault.message;
    setText(line, fault.line ? t("error.line", { line: fault.line, message: words }) : words);
    const found = this.form.report(fault);
    if (!fault.line) return;
    const [start, end] = lineSpan(this.text.value, fault.line);
    this.text.setSelectionRange(start, end);
    const lineHeight = this.text.scrollHeight / this.text.value.split("\n").length;
    this.text.scrollTop = Math.max(0, (fault.line - 4) * lineHeight);
    if (!found) this.text.focus();
  }
}

/** Returns the unapplied changes stored for the tab, or null if there are none. @returns {{run: string, text: string}|null} */
function drafted() {
  const draft = readStoredJSON(DRAFT, "sessionStorage");
  return typeof draft?.text === "string" && typeof draft.run === "string" ? draft : null;
}

/** Stores unapplied changes for the tab. null removes them. @param {{run: string, text: string}|null} draft */
function keepDraft(draft) {
  writeStored(DRAFT, draft ? JSON.stringify(draft) : "", "sessionStorage");
}

/** Creates the sheet. @param {any} app */
export const make = (app) => new WorkloadSheet(app);

/** Maximum number of operations shown as rows. The user edits further operations in the text. */
const ROWS_MAX = 200;
/** Maximum number of groups shown as cards. */
const CARDS_MAX = 40;
/** Fields of the header. */
const HEAD = ["name", "tick", "start", "until"];

class WorkloadForm {
  /** @type {any} the edited scenario */
  #scenario = {};

  /** @param {HTMLElement} box @param {(scenario: any) => void} changed */
  constructor(box, changed) {
    this.box = box;
    this.changed = changed;
  }

  /** Displays a scenario. @param {any} scenario */
  show(scenario) {
    this.#scenario = scenario;
    const work = this.#work();
    this.box.replaceChildren(this.#head(), this.#ops(work.ops ?? []), this.#groups(work.generate ?? []));
  }

  /** Redraws the form and focuses the field at path. @param {string} path */
  #again(path) {
    this.show(this.#scenario);
    this.changed(this.#scenario);
    this.field(path)?.focus();
  }

  #work() {
    if (typeof this.#scenario.workload !== "object" || this.#scenario.workload === null) this.#scenario.workload = {};
    return this.#scenario.workload;
  }

  /** Returns the control of a field. @param {string} path @returns {HTMLElement|null} */
  field(path) { return this.box.querySelector(`[data-path="${CSS.escape(path)}"]`); }

  /** Shows a fault next to its field. Returns false if the form has no such field. @param {{path: string, message: string}|null} fault */
  report(fault) {
    this.box.querySelectorAll("[aria-invalid]").forEach((box) => box.removeAttribute("aria-invalid"));
    this.box.querySelectorAll(".error").forEach((line) => (line.closest("tr") ?? line).remove());
    const box = fault && (this.field(fault.path) ?? this.field(fault.path.replace(/\.(for|by)$/, ".amount")));
    if (!fault || !box) return false;
    const id = "workload-field-error";
    box.setAttribute("aria-invalid", "true");
    box.setAttribute("aria-describedby", id);
    const line = html("p", { class: "error", id }, fault.message);
    const row = box.closest("tr");
    if (row) {
      const below = document.createElement("tr");
      const cell = below.insertCell();
      cell.colSpan = COLUMNS.length + 3;
      cell.append(line);
      row.after(below);
    } else box.parentElement?.append(line);
    box.scrollIntoView({ block: "nearest" });
    box.focus();
    return true;
  }

  #head() {
    const box = html("div", { class: "fields" });
    for (const name of HEAD) box.append(this.#labelled(this.#scenario, name, name, t(`workload.${name}`)));
    return box;
  }

  /**
   * Creates a control for a field of an object, with a label above it.
   * @param {any} object @param {string} name name of the field @param {string} path path of the field
   * @param {string} word label
   */
  #labelled(object, name, path, word) {
    const input = this.#input(object, name, path);
    input.id = `workload-${path.replace(/[^a-z0-9]+/gi, "-")}`;
    return html("div", { class: "field" }, html("label", { for: input.id }, word), input);
  }

  /**
   * Creates a control for a field of an object.
   * @param {any} object @param {string} name @param {string} path
   * @param {string} [word] accessible name of the control, if it has no label
   */
  #input(object, name, path, word) {
    const input = /** @type {HTMLInputElement} */ (html("input", { "data-path": path, autocomplete: "off", spellcheck: "false", ...(word ? { "aria-label": word } : {}) }));
    input.value = show(object[name]);
    input.addEventListener("change", () => {
      const value = read(name, input.value);
      if (value === undefined) delete object[name];
      else object[name] = value;
      this.changed(this.#scenario);
    });
    return input;
  }

  /**
   * Creates a control for choosing one of several options. A current value that is not among the options is
   * added to them.
   * @param {string} path @param {string} word accessible name of the control @param {string[]} options
   * @param {string} chosen current value, or "" if there is none
   * @param {(value: string) => void} choose
   */
  #select(path, word, options, chosen, choose) {
    const select = /** @type {HTMLSelectElement} */ (html("select", { "data-path": path, "aria-label": word }));
    for (const option of options.includes(chosen) || !chosen ? options : [chosen, ...options]) select.append(html("option", { value: option }, option));
    select.value = chosen;
    select.addEventListener("change", () => choose(select.value));
    return select;
  }

  /** Returns the table of the operations. @param {any[]} ops */
  #ops(ops) {
    const box = html("div", { class: "ops" }, html("h3", {}, t("workload.ops")));
    const scroll = html("div", { class: "ops-scroll", tabindex: "0", role: "group", "aria-label": t("workload.ops") });
    const table = /** @type {HTMLTableElement} */ (html("table"));
    const head = table.createTHead().insertRow();
    for (const name of ["at", "op", ...COLUMNS]) head.append(html("th", { scope: "col", title: t(`workload.title.${name}`) }, t(`workload.${name}`)));
    head.append(html("td"));
    const body = table.createTBody();
    ops.slice(0, ROWS_MAX).forEach((op, i) => body.append(this.#row(ops, op, i)));
    scroll.append(table);
    if (ops.length > 0) box.append(scroll);
    if (ops.length > ROWS_MAX) box.append(html("p", { class: "hint" }, t("workload.rest", { n: ops.length - ROWS_MAX })));
    box.append(this.#adder(t("workload.op.add"), () => {
      const made = { at: ops.at(-1)?.at ?? 0, op: "schedule", timer: freeName(ops), delay: 5 };
      this.#work().ops = [...ops, made];
      this.#again(`workload.ops[${ops.length}].timer`);
    }));
    return box;
  }

  /** Returns the row of operation i. @param {any[]} ops @param {any} op @param {number} i */
  #row(ops, op, i) {
    const path = `workload.ops[${i}]`;
    const word = (/** @type {string} */ name) => t("workload.cell", { n: i + 1, name: t(`workload.${name}`) });
    const row = document.createElement("tr");
    const cell = (/** @type {HTMLElement|null} */ control) => { const td = row.insertCell(); if (control) td.append(control); };
    cell(this.#input(op, "at", `${path}.at`, word("at")));
    cell(this.#select(`${path}.op`, word("op"), Object.keys(OPS), op.op, (chosen) => {
      op.op = chosen;
      this.#again(`${path}.op`);
    }));
    const fields = OPS[op.op] ?? [];
    for (const column of COLUMNS) {
      const name = column === "amount" ? fields.find((f) => f === "for" || f === "by") : column;
      cell(name && (fields.includes(name) || op[name] !== undefined) ? this.#input(op, name, `${path}.${column}`, word(column)) : null);
    }
    cell(signButton("✕", t("workload.op.remove", { n: i + 1 }), () => {
      this.#work().ops = ops.filter((o) => o !== op);
      this.#again(`workload.ops[${Math.min(i, ops.length - 2)}].at`);
    }));
    return row;
  }

  /** Returns the cards of the groups. @param {any[]} groups */
  #groups(groups) {
    const box = html("div", { class: "groups" }, html("h3", {}, t("workload.generate")));
    groups.slice(0, CARDS_MAX).forEach((group, i) => box.append(this.#card(groups, group, i)));
    if (groups.length > CARDS_MAX) box.append(html("p", { class: "hint" }, t("workload.rest.groups", { n: groups.length - CARDS_MAX })));
    box.append(this.#adder(t("workload.group.add"), () => {
      this.#work().generate = [...groups, freshGroup(new Set(groups.map((g) => g.prefix)))];
      this.#again(`workload.generate[${groups.length}].prefix`);
    }));
    return box;
  }

  /** Returns the card of group i. @param {any[]} groups @param {any} group @param {number} i */
  #card(groups, group, i) {
    const path = `workload.generate[${i}]`;
    const card = html("fieldset", { class: "group" }, html("legend", {}, t("workload.group", { n: i + 1 })));
    const fields = html("div", { class: "fields" });
    for (const name of ["prefix", "seed", "count", "every", "times"]) fields.append(this.#labelled(group, name, `${path}.${name}`, t(`workload.${name}`)));
    card.append(fields, this.#dist(group, "arrivals", path, ARRIVALS), this.#dist(group, "delay", path, LENGTHS), this.#cancels(group, path), this.#resets(group, path));
    const remove = t("workload.group.remove", { n: i + 1 });
    card.append(signButton(remove, remove, () => {
      this.#work().generate = groups.filter((g) => g !== group);
      this.#again(`workload.generate[${Math.min(i, groups.length - 2)}].prefix`);
    }));
    return card;
  }

  /**
   * Creates the controls of a distribution, which is a field of an object.
   * @param {any} owner the object @param {string} name name of the field @param {string} path path of the object
   * @param {Record<string, string[]>} kinds the distributions that can be chosen, each with its fields
   */
  #dist(owner, name, path, kinds) {
    const at = `${path}.${name}`;
    const dist = owner[name] ?? {};
    const row = html("div", { class: "dist", role: "group", "aria-label": t(`workload.dist.${name}`) });
    row.append(html("span", { class: "label" }, t(`workload.dist.${name}`)), this.#select(`${at}.dist`, t(`workload.dist.${name}`), Object.keys(kinds), dist.dist ?? "", (chosen) => {
      owner[name] = freshDist(chosen, kinds[chosen], dist);
      if (chosen === "constant" && kinds === ARRIVALS && dist.every !== undefined) delete owner[name].value;
      this.#again(`${at}.dist`);
    }));
    for (const field of kinds[dist.dist] ?? []) row.append(this.#labelled(dist, field, `${at}.${field}`, t(`workload.${field}`)));
    return row;
  }

  /**
   * Creates the checkbox of an optional field of an object.
   * @param {any} owner the object @param {string} name name of the field @param {string} path path of the object
   * @param {string} word label @param {any} fresh value of the field after the box is checked
   */
  #optional(owner, name, path, word, fresh) {
    const check = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", "data-path": `${path}.${name}` }));
    check.checked = owner[name] !== undefined;
    check.addEventListener("change", () => {
      if (check.checked) owner[name] = fresh;
      else delete owner[name];
      this.#again(`${path}.${name}`);
    });
    return html("label", {}, check, ` ${word}`);
  }

  /** Creates the controls for the cancellations of a group. @param {any} group @param {string} path */
  #cancels(group, path) {
    const fresh = { fraction: 0.5, after: { dist: "uniform", min: 0, max: 10 } };
    const box = html("div", { class: "cancels" }, this.#optional(group, "cancel", path, t("workload.cancels"), fresh));
    if (group.cancel) box.append(this.#labelled(group.cancel, "fraction", `${path}.cancel.fraction`, t("workload.fraction")), this.#dist(group.cancel, "after", `${path}.cancel`, LENGTHS));
    return box;
  }

  /** Creates the controls for the resets of a group. @param {any} group @param {string} path */
  #resets(group, path) {
    const fresh = { fraction: 1, every: { dist: "uniform", min: 1, max: 10 }, until: { dist: "constant", value: 100 } };
    const box = html("div", { class: "cancels" }, this.#optional(group, "reset", path, t("workload.resets"), fresh));
    const at = `${path}.reset`;
    if (!group.reset) return box;
    box.append(this.#labelled(group.reset, "fraction", `${at}.fraction`, t("workload.fraction")), this.#dist(group.reset, "every", at, LENGTHS));
    box.append(this.#optional(group.reset, "until", at, t("workload.resets.end"), fresh.until));
    if (group.reset.until) box.append(this.#dist(group.reset, "until", at, LENGTHS));
    return box;
  }

  /** Creates the button that adds an operation or a group. @param {string} word @param {() => void} act */
  #adder(word, act) {
    return button({ class: "plain add-more" }, `+ ${word}`, act);
  }
}

/** Returns a timer name, such as "timer3", that no operation uses. @param {any[]} ops */
function freeName(ops) {
  const taken = new Set(ops.map((op) => op.timer));
  let n = ops.length + 1;
  while (taken.has(`timer${n}`)) n++;
  return `timer${n}`;
}
