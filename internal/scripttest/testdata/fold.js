// Folds traces with the page's own modules; fold_test.go checks the results.
// Defines foldTrace and tamper for the tests to call.
(async () => {
  const { rowOf } = await load("../test/trace.js");
  const { FoldError, applyRow } = await load("state/fold.js");
  const places = await load("state/lane-state.js");

  const canonical = (lane) => globalThis.canonical(places, lane);

  /** The lanes of a trace before its first event, by id; levels has their levels, in order. */
  const newTraceState = (header, levels) =>
    new Map(header.scenario.lanes.map((lane, k) => [lane.id, places.emptyLane(levels[k])]));

  /** Folds one event. Throws a FoldError if it does not fit. */
  function foldTraceEvent(state, event) {
    const lane = state.get(event.lane);
    if (!lane) throw new FoldError(`no lane is called ${event.lane}`);
    applyRow(lane, rowOf(event));
  }

  /** The header and the events of a trace. */
  function linesOf(text) {
    const [header, ...events] = text.trim().split("\n").map((line) => JSON.parse(line));
    return { header, events: events.filter((e) => e.kind !== "end") };
  }

  /** For each event, its lane directly after it, in canonical form. */
  globalThis.foldTrace = (text, levels) => {
    const { header, events } = linesOf(text);
    const state = newTraceState(header, levels);
    return events.map((event) => {
      foldTraceEvent(state, event);
      return structuredClone(canonical(state.get(event.lane)));
    });
  };

  const text = (state, lane) => JSON.stringify(canonical(state.get(lane)));

  /** Folds events onto a copy of the state: returns the new state, or that they were refused. */
  function attempt(state, events) {
    const lane = events.lane;
    const copy = new Map([[lane, structuredClone(state.get(lane))]]);
    let before = text(copy, lane);
    try {
      for (const event of events.list) {
        before = text(copy, lane);
        foldTraceEvent(copy, event);
      }
    } catch (error) {
      if (!(error instanceof FoldError)) throw error;
      return { refused: true, changed: text(copy, lane) !== before };
    }
    return { refused: false, changed: false, led: text(copy, lane) };
  }

  /** Every way to alter one event: in any field that its kind has. */
  function alterations(event) {
    const all = [];
    const alter = (what, change) => {
      const copy = structuredClone(event);
      change(copy);
      all.push([what, copy]);
    };
    for (const field of ["id", "due", "run", "rounds", "width"]) {
      if (field in event && !(field === "id" && event.kind === "finding")) alter(`another ${field}`, (e) => { e[field] += 1000; });
    }
    if (event.kind === "hand") alter("another count", (e) => { e.count++; });
    for (const place of ["from", "to"]) {
      if (!(place in event)) continue;
      alter(`another slot in ${place}`, (e) => { e[place].slot += 50; });
      alter(`another level in ${place}`, (e) => { e[place].level++; });
    }
    if ("from" in event) alter("no from", (e) => { delete e.from; });
    if (["place", "cascade"].includes(event.kind)) alter("in front of nobody", (e) => { e.before = 999999; });
    if (["place", "hand", "grow", "enqueue", "dequeue"].includes(event.kind)) alter("another level", (e) => { e.level += 90; });
    if (["place", "enqueue", "dequeue"].includes(event.kind)) alter("another slot", (e) => { e.slot += 50; });
    return all.filter(([, e]) => !(event.kind === "finding" && "due" in e));
  }

  // Events without effect on a state: a hand that takes no rounds may be added or dropped.
  const silent = (event) => event.kind === "hand" && event.count === 0;

  /** Alters every event in every way, and returns the result for each. */
  globalThis.tamper = (text, levels) => {
    const { header, events } = linesOf(text);
    const state = newTraceState(header, levels);
    const results = [];
    for (const event of events) {
      const right = attempt(state, { lane: event.lane, list: [event] });
      const tries = alterations(event).map(([what, e]) => [what, [e]]);
      if (!silent(event)) tries.push(["dropped", []], ["doubled", [event, event]]);
      for (const [what, list] of tries) {
        const { refused, changed, led } = attempt(state, { lane: event.lane, list });
        results.push({ Seq: event.seq, What: `${event.kind}: ${what}`, Unseen: !refused && led === right.led, Changed: changed });
      }
      foldTraceEvent(state, event);
    }
    return results;
  };
})()
