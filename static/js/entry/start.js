// @ts-check
/** Starts the entry view: connects its buttons, keys and gestures with the App. */
import { byId, setAttr, setText } from "../core/dom.js";
import { t } from "../core/texts.js";
import { App, DELAY_MAX } from "./app.js";
import { SPEEDS } from "./clock.js";
import { listenToLines, listenToWheel } from "./gestures.js";
import { REST } from "../picture/scene.js";
import { delayText } from "../story/instant.js";
import { clamp } from "../picture/face.js";

/** Names of the speeds, as they are shown; the last is a word. */
const SPEED_NAMES = ["½×", "1×", "2×", "4×"];

/**
 * Starts the page.
 * @param {import("../picture/window.js").Window} win @param {import("./place.js").Place} place
 * @param {(receiver: import("./transport.js").Receiver) => import("./transport.js").Transport} connect
 * @param {boolean} plays whether the page plays by itself @param {boolean} [long] whether the run has more events than a page can have
 */
export function start(win, place, connect, plays, long) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.dataset.motion === "reduce";
  const app = new App(win, place, connect, still, long);

  for (const lane of app.lanes) {
    listenToWheel(app, lane);
    lane.more.addEventListener("click", () => app.openAdd(lane.index));
    lane.input.addEventListener("input", () => app.typed(lane.input.value, lane.index));
    lane.input.addEventListener("keydown", (event) => { if (event.key === "Escape") app.closeAdd(lane.index); });
    lane.input.addEventListener("blur", () => app.closeAdd(lane.index));
    lane.dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      app.add(lane.input.value, lane.index);
    });
  }
  listenToLines(app, byId("track"), byId("say"));
  listenToKeys(app);

  /** @type {Record<string, () => void>} */
  const actions = {
    play: () => { app.touch(); app.play(!app.clock.playing); },
    "tick-back": () => app.step("tick", -1), "tick-next": () => app.step("tick", 1),
    "step-back": () => app.step("step", -1), "step-next": () => app.step("step", 1),
    "event-back": () => app.step("event", -1), "event-next": () => app.step("event", 1),
    restart: () => app.go(0), fast: () => app.go(app.win.run.until + REST),
  };
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-do]"))) {
    const act = actions[button.dataset.do ?? ""];
    if (!act) continue;
    button.addEventListener("click", (event) => { event.preventDefault(); act(); });
    button.addEventListener("keydown", (event) => { if (event.key === " " && button.localName === "a") { event.preventDefault(); act(); } });
  }

  const speed = /** @type {HTMLInputElement} */ (byId("speed"));
  const showSpeed = () => {
    const name = SPEED_NAMES[Number(speed.value)] ?? t("entry.fast");
    setText(byId("spout"), name);
    setAttr(speed, "aria-valuetext", name);
  };
  speed.value = String(Math.max(0, SPEEDS.indexOf(app.clock.speed)));
  speed.addEventListener("input", () => {
    app.clock.speed = SPEEDS[Number(speed.value)];
    place.remember("speed", speed.value);
    showSpeed();
  });
  showSpeed();

  byId("unroll").addEventListener("click", () => app.toggleUnrolled());
  const shortcuts = /** @type {HTMLInputElement|null} */ (document.getElementById("shortcuts"));
  if (shortcuts) {
    shortcuts.checked = app.shortcuts;
    shortcuts.addEventListener("change", () => { app.shortcuts = shortcuts.checked; place.remember("keys", shortcuts.checked ? "" : "off"); });
  }
  byId("keys-open").addEventListener("click", () => byId("keys").showModal());
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("[data-lang-to], #lab"))) {
    link.addEventListener("click", () => app.leave(link));
  }
  const phone = matchMedia("(max-width: 700px)");
  const moveUnroll = () => (phone.matches ? byId("lab") : byId("speed").closest(".speed"))[phone.matches ? "before" : "after"](byId("unroll"));
  phone.addEventListener("change", moveUnroll);
  moveUnroll();
  const lanes = byId("lanes");
  const tabs = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pager [data-to]"))];
  const current = () => {
    const at = Math.round(lanes.scrollLeft / Math.max(1, lanes.clientWidth));
    tabs.forEach((tab, i) => setAttr(tab, "aria-current", String(i === at)));
  };
  tabs.forEach((tab, i) => tab.addEventListener("click", (event) => {
    event.preventDefault();
    app.showLane(i, true);
  }));
  lanes.addEventListener("scroll", current, { passive: true });
  current();

  app.start(plays);
  return app;
}


/** Elements that arrows, Home and End operate themselves. */
const OWN_ARROWS = "input, select, textarea, [role=listbox]";

/** @param {App} app */
function listenToKeys(app) {
  let handled = "";
  addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    handled = "";
    const graph = event.getModifierState("AltGraph"); // types a sign such as "[", on some systems with Ctrl and Alt
    if (event.defaultPrevented || (event.altKey && !graph) || event.isComposing || document.querySelector("dialog:modal")) return;
    if (!graph && (event.ctrlKey || event.metaKey)) {
      if (event.key.toLowerCase() !== "z" || event.shiftKey || target.matches("input[type=text], input:not([type])")) return;
      event.preventDefault();
      return void app.undo();
    }
    if (target.matches(OWN_ARROWS)) return;
    if (!act(app, event, target)) return;
    handled = event.key;
    event.preventDefault();
  });
  // Browser automation may send a separate keypress event, which would type the letter into the field that it opened.
  addEventListener("keypress", (event) => { if (event.key === handled) event.preventDefault(); });
}

/** Carries out a key. Returns whether it has a meaning. @param {App} app @param {KeyboardEvent} event @param {Element} target */
function act(app, event, target) {
  const { key, shiftKey } = event;
  switch (key) {
    case " ":
      if (target.matches("button, a, summary, [role=button]")) return false;
      app.touch();
      return app.play(!app.clock.playing), true;
    case "ArrowRight": return app.step(shiftKey ? "step" : "tick", 1), true;
    case "ArrowLeft": return app.step(shiftKey ? "step" : "tick", -1), true;
    case "PageDown": return app.step("step", 1), true;
    case "PageUp": return app.step("step", -1), true;
    case "Home": return app.go(0), true;
    case "End": return app.go(app.win.run.until + REST), true;
    case "ArrowUp": case "ArrowDown": return choose(app, key === "ArrowUp" ? -1 : 1), true;
    case "Escape":
      if (!app.hold && !app.look.hot) return false;
      app.look.hot = 0;
      return app.drop(), true;
    case "Enter":
      if (!app.hold || target.matches("button, a")) return false;
      return void app.commit(app.hold), true;
    case "Delete": return cancel(app), true;
  }
  if (!app.shortcuts) return false;
  switch (key) {
    case ".": return app.step("event", 1), true;
    case ",": return app.step("event", -1), true;
    case "]": return change(app, 1), true;
    case "[": return change(app, -1), true;
    case "a": case "+": return app.openAdd(), true;
    case "u": return app.toggleUnrolled(), true;
    case "l": return byId("lab").click(), true;
    case "f": return choose(app, 1), true;
    case "?": return byId("keys").showModal(), true;
  }
  return false;
}

/** Returns the pending timers, by due tick, each once. @param {App} app */
function pending(app) {
  const found = new Map();
  for (const { scene } of app.lanes) for (const timer of scene?.after.timers.values() ?? []) if (!timer.marked) found.set(timer.id, timer);
  return [...found.values()].sort((a, b) => a.due - b.due || a.id - b.id);
}

/** Lights the next pending timer, and says which. @param {App} app @param {1|-1} n */
function choose(app, n) {
  if (app.clock.playing) app.play(false);
  app.hold = null;
  const list = pending(app);
  if (list.length === 0) return app.say(t("entry.say.nothing"));
  const at = list.findIndex((timer) => app.win.first(timer.id) === app.look.hot);
  const timer = list[at < 0 ? (n > 0 ? 0 : list.length - 1) : (at + n + list.length) % list.length];
  app.look.hot = app.win.first(timer.id);
  app.say(t("entry.chosen", { at: delayText(app.win, timer.due) }));
}

/** Returns the timer that is lit. @param {App} app */
const chosen = (app) => pending(app).find((timer) => app.win.first(timer.id) === app.look.hot);

/** Changes the due tick of the chosen timer; Enter carries it out. @param {App} app @param {1|-1} n */
function change(app, n) {
  const timer = chosen(app);
  if (!app.hold && !timer) return choose(app, 1);
  app.play(false);
  app.clock.set(app.tick + REST);
  const now = app.tick;
  if (!app.hold && timer) {
    app.hold = { id: timer.id, name: app.win.name(timer.id), colour: app.win.colour(timer.id), due: timer.due, first: timer.due, level: 0, lane: -1, out: false, hand: null, waiting: false };
    void app.prefetch();
  }
  if (app.hold) app.hold.due = clamp(app.hold.due + n, now + 1, now + DELAY_MAX);
  app.redraw();
}

/** Cancels the chosen timer. @param {App} app */
function cancel(app) {
  const timer = chosen(app);
  if (!timer) return;
  app.clock.set(app.tick + REST);
  app.look.hot = 0;
  void app.edit({ op: "cancel", timer: app.win.name(timer.id) }, t("entry.done.cancel"));
}
