// @ts-check
/** Kinds and codes of events. Generated from wheel/event.go by make generate. DO NOT EDIT. */

/** Names of kinds by number, as in a trace. */
export const KINDS = Object.freeze(["", "schedule", "reject", "miss", "pend", "place", "cascade", "move", "hand", "cancel", "mark", "sweep", "expire", "grow", "enqueue", "dequeue", "finding", "resize", "rekey"]);

/** Numbers of kinds by name. */
export const KIND = Object.freeze(Object.fromEntries(KINDS.map((name, number) => [name, number])));

/** Names of codes by number: reasons of rejections, operations that found no timer, and kinds of findings. */
export const CODES = Object.freeze(["", "range", "capacity", "past", "fault", "cancel", "reset", "early", "late", "lost", "twice", "storm", "stuck", "panic", "revived", "stale"]);

/** Kinds of events that have the due tick of their timer. */
export const WITH_DUE = new Set([KIND.schedule, KIND.reject, KIND.pend, KIND.place, KIND.cascade, KIND.expire, KIND.rekey]);
