// @ts-check
/**
 * What a pointer does to a wheel: it drags a hand, presses a slot, turns a dot, or lights a timer. The keys that do the
 * same are in keys.js.
 */
import { CENTRE, FACE_RIM } from "../picture/dimensions.js";
import { REST } from "../picture/scene.js";
import { DELAY_MAX } from "./app.js";
import { TAU, clamp, mix } from "../picture/face.js";
import { timeAt } from "../picture/unrolled.js";
import { trackTime } from "./track.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./lane.js").LaneView} LaneView */

/** Distance outside the rim at which a timer is let go, in units. */
const OUTSIDE = 40;

/** Adds the gestures of a wheel. @param {App} app @param {LaneView} lane */
export function listenToWheel(app, lane) {
  const { stage } = lane;
  const light = (/** @type {number} */ hot, /** @type {import("../picture/frame.js").Look["pointed"]} */ pointed) => {
    if (app.look.hot === hot && same(app.look.pointed, pointed) && app.pointedLane === lane.index) return;
    app.look.hot = hot;
    app.look.pointed = pointed;
    app.pointedLane = lane.index;
    app.redraw();
  };
  stage.addEventListener("pointermove", (event) => {
    if (app.hold || app.gripped || event.pointerType === "touch") return;
    const hit = onControl(event) ? null : lane.hit(lane.unitsAt(event), false);
    stage.style.cursor = hit && "hand" in hit ? "grab" : hit && "timer" in hit ? "grab" : hit ? "copy" : "";
    if (hit && "timer" in hit) return light(app.win.first(hit.timer), null);
    if (!hit || !("slot" in hit)) return light(0, null);
    const inside = lane.dots.filter((d) => same(placeIn(lane, d.id), hit));
    light(inside.length === 1 ? app.win.first(inside[0].id) : 0, { level: hit.level, slot: hit.slot });
  });
  stage.addEventListener("pointerleave", () => { if (!app.hold) light(0, null); });
  stage.addEventListener("pointerdown", (event) => {
    if (event.button || onControl(event)) return;
    const at = lane.unitsAt(event);
    const hit = lane.hit(at, event.pointerType !== "mouse");
    if (!hit) return;
    if ("hand" in hit) return dragHand(app, lane, event, hit.hand);
    if ("timer" in hit) {
      const timer = lane.scene?.after.timers.get(hit.timer);
      if (timer) holdTimer(app, lane, event, { id: timer.id, name: app.win.name(timer.id), colour: app.win.colour(timer.id), due: timer.due, first: timer.due, level: Math.max(0, timer.level) });
      return;
    }
    const due = lane.dueOf(hit.level, hit.slot, app.tick);
    if (!due) return;
    const chosen = due.first === due.last ? due.first : clamp(Math.round(mix(due.first, due.last, hit.part)), due.first, due.last);
    holdTimer(app, lane, event, { id: 0, name: "", colour: app.nextColour, due: chosen, first: 0, level: hit.level });
  });
  lane.diagram.addEventListener("pointerdown", (event) => scrub(app, lane.diagram, event, (x, wide) => timeAt(app.win, wide, x)));
  lane.diagram.addEventListener("pointermove", (event) => {
    if (app.gripped) return;
    const id = Number(/** @type {Element} */ (event.target).closest("[data-id]")?.getAttribute("data-id") ?? 0);
    light(id ? app.win.first(id) : 0, null);
  });
  lane.diagram.addEventListener("pointerleave", () => { if (!app.gripped) light(0, null); });
}

/** Adds the gestures of the track and of the sentence. @param {App} app @param {HTMLElement} track @param {HTMLElement} sentence */
export function listenToLines(app, track, sentence) {
  track.addEventListener("pointerdown", (event) => scrub(app, track, event, (x, wide) => trackTime(app.win, wide, x)));
  const light = (/** @type {number} */ hot) => {
    if (app.look.hot === hot) return;
    app.look.hot = hot;
    app.redraw();
  };
  sentence.addEventListener("pointerover", (event) => {
    const id = Number(/** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest(".chip"))?.dataset.id ?? 0);
    light(id ? app.win.first(id) : 0);
  });
  sentence.addEventListener("pointerleave", () => light(0));
}

/** @param {{level: number, slot: number}|null|undefined} a @param {{level: number, slot: number}|null} b */
const same = (a, b) => a?.level === b?.level && a?.slot === b?.slot;
/** @param {LaneView} lane @param {number} id */
const placeIn = (lane, id) => lane.scene?.after.timers.get(id);
/** Reports whether an event is about a button or field in the hub. @param {Event} event */
const onControl = (event) => Boolean(/** @type {Element} */ (event.target).closest("button, form"));
/** @param {{x: number, y: number}} at */
const polar = ({ x, y }) => ({ angle: Math.atan2(y - CENTRE, x - CENTRE), radius: Math.hypot(x - CENTRE, y - CENTRE) });
/** Returns the angle from a to b, from −π to π. @param {number} a @param {number} b */
const turned = (a, b) => ((((b - a + Math.PI) % TAU) + TAU) % TAU) - Math.PI;

/** Follows a pointer until it is released. @param {HTMLElement} element @param {PointerEvent} event @param {(event: PointerEvent) => void} move @param {(cancelled: boolean) => void} end */
function follow(element, event, move, end) {
  element.setPointerCapture(event.pointerId);
  const stop = new AbortController();
  const { signal } = stop;
  const finish = (/** @type {boolean} */ cancelled) => {
    if (signal.aborted) return;
    stop.abort();
    end(cancelled);
  };
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", () => finish(false), { signal });
  element.addEventListener("pointercancel", () => finish(true), { signal });
  addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.preventDefault();
    finish(true);
  }, { signal, capture: true });
}

/** Drags a hand: time follows. @param {App} app @param {LaneView} lane @param {PointerEvent} event @param {number} level */
function dragHand(app, lane, event, level) {
  event.preventDefault();
  app.touch();
  app.play(false);
  app.gripped = true;
  app.look.pointed = null;
  lane.stage.classList.add("dragging");
  const from = app.clock.T;
  let T = from;
  let { angle } = polar(lane.unitsAt(event));
  const { slots, width } = lane.form.rings[level];
  follow(lane.stage, event, (e) => {
    const next = polar(lane.unitsAt(e)).angle;
    T = clamp(T + (turned(angle, next) / TAU) * slots * width, 0, app.win.run.until + REST);
    angle = next;
    app.drag(T);
  }, (cancelled) => {
    app.gripped = false;
    lane.stage.classList.remove("dragging");
    if (cancelled) app.drag(from);
    app.rest();
  });
}

/** Drags T over a line of time. @param {App} app @param {HTMLElement} element @param {PointerEvent} event @param {(x: number, wide: number) => number} time */
function scrub(app, element, event, time) {
  if (event.button) return;
  event.preventDefault();
  element.focus?.();
  app.touch();
  app.play(false);
  app.gripped = true;
  const show = (/** @type {PointerEvent} */ e) => {
    const box = element.getBoundingClientRect();
    app.drag(time(e.clientX - box.left, box.width));
  };
  show(event);
  follow(element, event, show, () => {
    app.gripped = false;
    app.rest();
  });
}

/** Holds a timer: turning changes its due tick, letting it go outside cancels it. @param {App} app @param {LaneView} lane @param {PointerEvent} event @param {{id: number, name: string, colour: number, due: number, first: number, level: number}} timer */
function holdTimer(app, lane, event, timer) {
  if (event.pointerType === "mouse") event.preventDefault();
  app.touch();
  app.play(false);
  app.clock.set(app.tick + REST);
  Object.assign(app.look, { pointed: null, hot: 0 });
  const start = lane.unitsAt(event);
  const hold = { ...timer, lane: lane.index, out: false, hand: start, waiting: false };
  app.hold = hold;
  void app.prefetch();
  lane.stage.classList.add("dragging");
  const { slots, width } = lane.form.rings[timer.level] ?? { slots: 10, width: 1 };
  const now = app.tick;
  let due = hold.due;
  let { angle } = polar(start);
  app.redraw();
  follow(lane.stage, event, (e) => {
    const at = lane.unitsAt(e);
    const next = polar(at);
    due = clamp(due + (turned(angle, next.angle) / TAU) * slots * width, now + 0.51, now + DELAY_MAX + 0.4);
    angle = next.angle;
    Object.assign(hold, { due: clamp(Math.round(due), now + 1, now + DELAY_MAX), hand: at, out: next.radius > FACE_RIM + OUTSIDE });
    app.redraw();
  }, (cancelled) => {
    lane.stage.classList.remove("dragging");
    if (cancelled) return app.drop();
    Object.assign(hold, { waiting: true, hand: null, name: hold.name || app.nameFor(hold.due - now) });
    void app.commit(hold);
  });
}
