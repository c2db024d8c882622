// @ts-check
/** The traits of each algorithm. Generated from static/knowledge/*.json by make generate. DO NOT EDIT. */

/** @typedef {{slot?: string, hashed?: boolean, sorted?: boolean, formula?: string, bias?: string, rows?: boolean, past?: boolean, compares?: boolean, side?: string}} Traits see internal/knowledge/traits.go */

/** @type {Record<string, Traits>} */
const TRAITS = {
  "agrona": {"slot":"own","hashed":true,"formula":"own","past":true,"compares":true},
  "calendar": {"slot":"page","hashed":true,"sorted":true},
  "callout": {"slot":"ceil","hashed":true,"past":true,"compares":true},
  "go": {"past":true},
  "godis": {"formula":"hand","bias":"both"},
  "hashed-sorted": {"slot":"ceil","hashed":true,"sorted":true},
  "heap": {},
  "hierarchical": {"slot":"ceil","formula":"hierarchical"},
  "kafka": {"slot":"floor","formula":"kafka","bias":"early"},
  "linux": {"slot":"after","formula":"linux","rows":true,"past":true},
  "linux-classic": {"slot":"floor","formula":"linux-classic","rows":true,"past":true},
  "list": {},
  "lk668": {"formula":"hand","bias":"both"},
  "nats": {"slot":"floor","hashed":true,"formula":"floor","past":true,"compares":true},
  "netty": {"slot":"own","hashed":true,"formula":"netty","side":"pending"},
  "own": {},
  "redis": {"bias":"both"},
  "riicarus": {"formula":"start","bias":"early"},
  "rounds": {"slot":"ceil","hashed":true,"formula":"rounds"},
  "simple": {"slot":"ceil"},
  "sorted": {},
  "tokio": {"slot":"floor","formula":"tokio","rows":true},
  "xiaoxu": {"formula":"hand","bias":"both"},
};

/** Returns the traits of an algorithm, or an empty object if the algorithm is unknown. @param {string|undefined} algorithm @returns {Traits} */
export function traitsOf(algorithm) {
  return TRAITS[algorithm ?? ""] ?? {};
}
