// @ts-check
/**
 * Shows the number of the current step, and describes the next step, which is requested from the server. The
 * request is sent at once if the cursor was at rest before the movement, and otherwise when the cursor is at
 * rest. In the meantime, the text about the previous position is removed.
 */
import { byId, setDisabled, setText } from "../core/dom.js";
import { Ask } from "./ask.js";
import { nextWords } from "./step.js";
import { t } from "../core/texts.js";

/**
 * Time after which the cursor counts as being at rest, and after which the text about the previous position
 * is removed, in milliseconds.
 */
const REST_MS = 120;

export class Next {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  /**
   * Timer that removes the text about the previous position.
   * @type {ReturnType<typeof setTimeout>|undefined}
   */
  #late = undefined;
  #movedAt = -REST_MS;

  /** @param {any} app @param {(rows: number[]) => import("./narrate.js").Context} context */
  constructor(app, context) {
    this.app = app;
    this.context = context;
    this.button = byId("story-next");
    this.step = byId("story-step");
    this.question = new Ask(app, "step");
    this.button.addEventListener("click", () => app.player.act("step-next", false));
  }

  /** Requests the next step for a new position of the cursor. */
  ask() {
    const now = performance.now();
    const rested = now - this.#movedAt >= REST_MS;
    this.#movedAt = now;
    this.#late ??= setTimeout(() => setText(this.button, `${t("next")} → …`), REST_MS);
    clearTimeout(this.#timer);
    if (rested) this.#ask();
    else this.#timer = setTimeout(() => this.#ask(), REST_MS);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#known();
    this.question.forget();
    this.button.hidden = true;
    setText(this.step, "");
  }

  /** Shows the number of the cursor's step, if the steps of the run are numbered. */
  count() {
    const { step, timeline } = this.app.store;
    const steps = timeline?.steps ?? -1;
    setText(this.step, steps < 1 || step < 0 ? "" : step === 0 ? t("step.none", { steps }) : t("step.of", { step, steps }));
  }

  #ask() {
    const { run, seq } = this.app.store;
    this.question.ask({ run, seq }, (answer) => {
      if (run === this.app.store.run && seq === this.app.store.seq) this.#show(answer);
    });
  }

  /** Displays the next step. @param {any} answer answer of /api/step */
  #show({ events, names }) {
    const { store } = this.app;
    store.learn(names);
    this.#known();
    this.button.hidden = false;
    setDisabled(this.button, events.length === 0);
    if (events.length === 0) return setText(this.button, t("next.end"));
    const { tick, words, then } = nextWords(events, this.context(events));
    const when = tick === store.tick ? "" : `t = ${tick}: `;
    setText(this.button, `${t("next")} → ${when}${words}${then ? ` ${t("next.then", { then })}` : ""}`);
  }

  /** Cancels the pending removal of the text, which is up to date or has been removed. */
  #known() {
    clearTimeout(this.#late);
    this.#late = undefined;
  }
}
