// @ts-check
/** The sheet with the tree of branches, in which the user opens, names and removes them. */
import { byId, html, setText, signButton } from "../core/dom.js";
import { t } from "../core/texts.js";
import { BRANCH_NAME_MAX, branchName } from "../core/branches.js";

/** @typedef {import("../core/branches.js").Branch} Branch */

class BranchesSheet {
  /** Digest of the branch being renamed. */
  #naming = "";
  /** Digest of the branch that gets the focus when the tree is rebuilt. */
  #focus = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.tree = byId("branch-tree");
  }

  open() {
    this.#naming = "";
    setText(byId("branches-error"), "");
    this.changed();
  }

  begin() { this.changed(); }

  /** Handles a change of the branches. */
  changed() {
    const { list } = this.app.branches;
    byId("branches-none").hidden = list.length > 0;
    this.tree.replaceChildren(...(list.length > 0 ? [this.#level(list, "")] : []));
    if (this.#focus) /** @type {HTMLElement|null} */ (this.tree.querySelector(`[data-branch="${this.#focus}"] button`))?.focus();
    this.#focus = "";
  }

  /**
   * Returns the list of a branch's children. Branches whose parent does not exist are at the root.
   * @param {Branch[]} list @param {string} parent
   */
  #level(list, parent) {
    const ul = html("ul", { class: "branches" });
    for (const branch of list) {
      const at = list.some((b) => b.run === branch.parent) ? branch.parent : "";
      if (at !== parent) continue;
      const li = html("li", { "data-branch": branch.run }, this.#naming === branch.run ? this.#nameForm(branch) : this.#row(branch));
      const below = this.#level(list, branch.run);
      if (below.children.length > 0) li.append(below);
      ul.append(li);
    }
    return ul;
  }

  /** Returns the list item of a branch. @param {Branch} branch */
  #row(branch) {
    const displayed = branch.run === this.app.branches.current;
    const what = branchName(branch);
    const open = html("button", { class: "plain branch", type: "button", ...(displayed ? { "aria-current": "true" } : {}) });
    open.append(html("span", { class: "branch-mark", "aria-hidden": "true" }, displayed ? "●" : "○"), html("span", { class: "branch-name" }, what));
    if (branch.name && branch.label) open.append(html("span", { class: "hint" }, t(branch.label.key, branch.label.values)));
    open.addEventListener("click", () => this.#open(branch));
    return html("div", { class: "wraps" }, open,
      signButton("✎", t("making.rename.branch", { what }), () => { this.#naming = branch.run; this.changed(); this.tree.querySelector("input")?.select(); }),
      signButton("✕", t("making.forget.branch", { what }), () => this.app.branches.remove(branch.run), { off: displayed }));
  }

  /** Returns the form that renames a branch. @param {Branch} branch */
  #nameForm(branch) {
    const form = html("form", { class: "wraps" });
    const input = /** @type {HTMLInputElement} */ (html("input", { "aria-label": t("making.branch.name"), maxlength: BRANCH_NAME_MAX, autocomplete: "off" }));
    input.value = branchName(branch);
    const end = (/** @type {string|null} */ name) => {
      this.#naming = "";
      this.#focus = branch.run;
      if (name === null) this.changed();
      else this.app.branches.rename(branch.run, name);
    };
    form.addEventListener("submit", (event) => { event.preventDefault(); end(input.value); });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault(); // the sheet stays open
      end(null);
    });
    form.append(input, html("button", { class: "primary" }, t("making.rename")));
    return form;
  }

  /** Displays a branch. If that fails, shows the error in the sheet. @param {Branch} branch */
  async #open(branch) {
    this.#focus = branch.run;
    const cursor = branch.label ? { tick: branch.tick, seq: -1 } : { tick: this.app.store.tick, seq: -1 };
    const fault = await this.app.goTo(branch, cursor);
    setText(byId("branches-error"), fault ? (fault.path === "link" ? t("error.link") : fault.message) : "");
  }
}

/** Creates the sheet. @param {any} app */
export const make = (app) => new BranchesSheet(app);
