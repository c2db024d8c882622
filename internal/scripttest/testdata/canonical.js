// Defines canonical, which returns a lane in the form in which states are compared: places in
// order, and nothing that depends on the representation. The first argument is the module
// state/lane-state.js.
globalThis.canonical = ({ sortedPlaces }, lane) => {
  const entry = (e) => [e.id, e.due, e.stale ? e.key : e.rounds, e.run, (e.marked ? 1 : 0) + (e.stale ? 2 : 0)];
  return {
    levels: lane.levels,
    places: sortedPlaces(lane).map((p) => [p.level, p.slot, p.entries.map(entry)]),
    arming: lane.arming ? entry(lane.arming) : null,
    queue: lane.queue,
    counts: lane.counts,
  };
};
