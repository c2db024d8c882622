// @ts-check
/** Starts the entry view: connects its buttons, keys and gestures with the App. */
import { byId, setAttr, setText } from "../core/dom.js";
import { t } from "../core/texts.js";
import { App } from "./app.js";
import { SPEEDS } from "./clock.js";
import { listenToLines, listenToWheel } from "./gestures.js";
import { listenToKeys } from "./keys.js";
import { REST } from "../picture/scene.js";

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
