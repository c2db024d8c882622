/** The messages of /ws. Generated from web/session/protocol by make generate. DO NOT EDIT. */
declare namespace Message {
  /** [cost, moves, timers, [kind, count, …], first, flows, all]: what a lane did in a tick or a step. cost is the total cost. moves is the part of it for moving timers between places, and timers is the part of it for touching timers. Each kind of event is followed by count, the number of events of that kind. first is a list of type Rows with the first event of each kind. flows is [fromLevel, fromSlot, toLevel, toSlot, count, …]: the number of timers that cascaded from one slot to another. all is a list of type Rows with all events; it is empty if all lanes together have more than 1,000 events. */
  type Activity = any[];
  /** a list of numbers in the order of CostNames. */
  type Cost = number[];
  /** a list of numbers in the order of CountNames. */
  type Counts = number[];
  /** [level, slot, due], a slot in the delay queue and the tick at which it is due. */
  type Due = number[];
  /** a flat list of timers, each a sequence of integers in the order of EntryFields. */
  type Entries = any[];
  /** a flat list of what would happen to timers, each a sequence of integers in the order of FutureColumns: the kind of the event that would end the scheduling, the place where the timer would then be, its rounds, and the reason if it would be rejected. The place is [-128, 0] if there is none, and rounds is −1 in lanes without rounds. */
  type Futures = number[];
  /** [level, slots, width]: a level, the number of its slots, and their width in base ticks. Level −1 is a list beside the wheel. */
  type Level = number[];
  /** a flat list with three elements per timer: its ID, its name and its due tick. */
  type Names = any[];
  /** [level, slot, count, Entries]. count is the number of timers in the place. In mode "counts", Entries has at most the first 20 timers of the place, and may be empty if the field `rest` of the `state` message is false. */
  type Place = any[];
  /** a flat list of events, each a sequence of integers in the order of RowColumns. */
  type Rows = number[];
  /** [level, [slot, count, …]]: the slots of one level in which the number of timers has changed, each with its new number of timers. */
  type SlotsChange = any[];
  /** a flat list of costs per tick, each a sequence of integers in the order of TickCostColumns: a lane, a tick, the number of ticks from it on that have the same cost, and that cost. Ticks that are not in the list have an unknown cost. */
  type TickCosts = number[];

  /** contains the changes to a lane in a delta, apart from its events. */
  type ChangedLane = {
    /** index of the lane */
    lane: number;
    /** time that the lane's wheel has reached, as in `state` */
    now: number;
    counts: Counts;
    cost: Cost;
    /** slots whose number of timers has changed; only in mode "counts" */
    slots?: SlotsChange[];
    /** levels of the lane if they have changed; only in mode "counts" */
    levels?: Level[];
  };

  /** is an error as shown to a user, on a single line. */
  type Description = {
    /** path of the field that the error concerns, such as "lanes[0].slots"; empty if it concerns none */
    path: string;
    /** message in the language of the user */
    message: string;
    /** line in the text of the scenario, counting from 1; 0 or absent if unknown */
    line?: number;
  };

  /** holds the fixed properties of a lane. */
  type HelloLane = {
    id: string;
    algorithm: string;
    title: Text;
    /** shape in which the wheel is drawn */
    shape: string;
    /** maximum number of children of a heap node; 0 if the wheel is not a heap */
    arity: number;
    /** whether every timer fires at its due tick; see catalog.Algorithm.Exact */
    exact: boolean;
    /** whether slot 0 begins at the wheel's start tick instead of at tick 0; see wheel.Layout.FromStart */
    relative: boolean;
    /** parameters of the algorithm, with their defaults */
    params: Record<string, any>;
  };

  /** describes the scenario of a session's run. */
  type HelloScenario = {
    name: string;
    title: string;
    summary: string;
    question: string;
    /** length of a base tick, such as 1ms */
    tick: string;
    /** absolute base tick at which the lanes are created */
    start: number;
    /** last tick of the run */
    until: number;
    /** whether the scenario differs from every built-in one */
    custom: boolean;
  };

  /** is the state of a lane. */
  type StateLane = {
    /** "full": every timer is sent; "counts": for each place, the number of timers and at most the first 20 timers are sent */
    mode: "full" | "counts";
    /** time that the lane's wheel has reached, in base ticks from the start of the scenario */
    now: number;
    /** levels, finest first */
    levels: Level[];
    /** places that contain timers, ordered by level and slot */
    places: Place[];
    /** timer whose schedule event is before the cursor and whose place event is after it; empty if there is none */
    arming: Entries;
    /** slots in the delay queue, ordered by due tick */
    queue: Due[];
    counts: Counts;
    cost: Cost;
  };

  /** is a string in English and Chinese. */
  type Text = {
    en: string;
    zh: string;
  };

  /** contains one number per bucket for a lane. Bucket k covers the ticks [k·`bucket`, (k+1)·`bucket`). */
  type TimelineLane = {
    /** number of pending timers at the end of each bucket */
    live: number[];
    /** number of expiries in each bucket */
    expire: number[];
    /** number of cascades in each bucket */
    cascade: number[];
    /** number of rejections in each bucket */
    reject: number[];
    /** cost of the costliest tick in each bucket */
    cost: number[];
    /** number of findings (effects of a fault in the algorithm) in each bucket */
    finding: number[];
  };

  /** is the first message from the server. It is sent again when the session opens another run, after a `load`, `op` or `lane` command. */
  type Hello = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "hello";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    /** ID of the session */
    session: string;
    /** ID of the `load`, `op` or `lane` command that opened the run, if this client sent it */
    ack?: number;
    /** whether the socket drives the session */
    driver: boolean;
    /** secret of the session, with which a client can become its driver; sent only to the driver */
    secret?: string;
    /** limits of the server by name */
    limits: Record<string, number>;
    scenario: HelloScenario;
    lanes: HelloLane[];
  };

  /** is the complete state at the cursor. It is sent after `hello`, after a seek or a step backward, on request, when the mode of a lane changes, after a client was too slow to receive every `delta`, and when the cursor stops, if the previous message omitted something. */
  type State = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "state";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    /** tick of the cursor */
    tick: number;
    /** number of the step that contains event `seq`, counting from 1; 0 before the first event; −1 if unknown */
    step: number;
    /** names of all timers in the message */
    names: Names;
    lanes: StateLane[];
    /** events of the step that contains event `seq`, up to that event, at most the last 400; empty before the first event and during playback */
    last: Rows;
    /** activity of each lane in the last tick or step; null during playback, and if there are too many events to count */
    did: Activity[] | null;
    /** true if no seek is in progress and the message has at least the first timers of every place; if false, another `state` follows when the cursor has come to rest */
    rest: boolean;
  };

  /** is sent when the cursor has moved forward. It contains the changes since the last `state` or `delta`. */
  type Delta = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "delta";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    /** value of `seq` before the cursor moved */
    from: number;
    /** tick of the cursor */
    tick: number;
    /** number of the step that contains event `seq`, as in `state` */
    step: number;
    /** events in order, without those of lanes in mode "counts" */
    events: Rows;
    /** names of the timers in the message whose names have not been sent since the last `state` */
    names: Names;
    /** numbers of the events in (`from`, `seq`] that are the last of a step; empty if the range has more than 4,000 events */
    steps: number[];
    /** activity of each lane in the last tick or step; null if there are too many events to count and, during playback, in all but at most 10 deltas a second */
    did: Activity[] | null;
    /** changes to every lane */
    lanes: ChangedLane[];
  };

  /** is the answer to an `events` command: one or more messages, each with the next events of the run, before the `ack`. A part has at most 4,000 events and 256 KiB. If the run is still being computed, the answer has only the events computed so far, perhaps none. */
  type Events = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "events";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    /** number of the event before the first one in `rows` */
    from: number;
    /** events `from`+1, `from`+2, …; the last column is the cost of the lane since its previous event */
    rows: Rows;
    /** names of all timers in the message */
    names: Names;
    /** costs of the ticks from that of event `from` to that of the last row, or to the end of the run if `end` is true */
    costs: TickCosts;
    /** whether the run has no later events */
    end: boolean;
  };

  /** is the answer to a `preview` command. It contains, for each lane and each of the delays, what would happen to a timer that is scheduled with this delay at the end of `tick`. */
  type Preview = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "preview";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    tick: number;
    /** delays in the order of the command */
    delays: number[];
    /** for each lane, one element per delay */
    lanes: Futures[];
  };

  /** is sent after the first `hello`, and whenever one of its fields changes. */
  type Player = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "player";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    playing: boolean;
    /** playback rate in ticks per second; 0 means as fast as possible */
    rate: number;
    /** whether the cursor is at the end of the run */
    end: boolean;
  };

  /** reports the progress of a search, at most 4 times a second, or its result. */
  type Search = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "search";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    /** what is searched for, as in `find` */
    what: string;
    /** direction, as in `find` */
    n: number;
    /** tick that the search has reached */
    tick: number;
    /** "on": the search continues; "found": the cursor is at the match; "none": there is no match in this direction, and the cursor has not moved; "stopped": another movement ended the search */
    outcome: "on" | "found" | "none" | "stopped";
  };

  /** summarizes the run. It divides the ticks into buckets of equal length and contains counts for each bucket. It is sent after the first `state` and, while the run is being computed, at most 4 times a second. */
  type Timeline = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "timeline";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    /** last tick that has been computed */
    computed: number;
    /** whether the whole run has been computed */
    done: boolean;
    /** number of events up to the tick `computed` */
    events: number;
    /** number of steps in the run; -1 while the run is being computed, and if it has more than about 65,000 events */
    steps: number;
    /** length of a bucket in ticks */
    bucket: number;
    lanes: TimelineLane[];
  };

  /** is the response to a command. It is sent when the command is done. A seek is done when the cursor has reached its target or a later command has replaced the seek. If the run is still being computed after 9 seconds, the seek is acknowledged then, and the state follows later. */
  type Ack = {
    /** version of the messages, 1 */
    v: number;
    /** kind of the message */
    kind: "ack";
    /** first 16 hexadecimal digits of the run's SHA-256 */
    run: string;
    /** number of the last event applied at the cursor; 0 before the first event */
    seq: number;
    /** ID of the command; 0 if the ID is unknown or if no command caused the error */
    ack: number;
    /** error of the command, if it failed */
    error?: Description;
  };

  type FromServer = Hello | State | Delta | Events | Preview | Player | Search | Timeline | Ack;

  /** The fields of each command. */
  interface Commands {
    /** starts playback, which moves the cursor up to the last tick of the run. If the cursor is already there, playback begins at the start of the run. */
    play: {
      /** playback rate, as in the `speed` command; if missing, the rate does not change */
      rate?: number;
    };
    /** stops playback and ends any search. */
    pause: {
    };
    /** changes the playback rate. */
    speed: {
      /** playback rate in ticks per second, 0.1 … 1e9; 0 means as fast as possible */
      rate: number;
    };
    /** stops playback and moves the cursor by one tick, step or event. If the cursor is within a tick, moving forward by a tick takes it to the end of that tick. The cursor does not move backward from the start of the run, or forward from its end. The command is refused if computing the new position takes more than 1 s. */
    step: {
      by: "tick" | "step" | "event";
      /** direction, 1 for forward or −1 for backward */
      n: number;
    };
    /** moves the cursor to the end of `tick`, to event `seq` or, without either, before the first event. Playback continues. If the position has not been computed yet, the cursor moves there as soon as the position is computed. */
    seek: {
      tick?: number;
      seq?: number;
    };
    /** stops playback and searches all lanes, or one lane, for the next match after the cursor or the last match before the cursor. If there is a match, the cursor moves to it. A `search` message reports the result. Any other movement of the cursor ends the search, as does `pause`. */
    find: {
      /** what to search for. "expire", "cascade", "reject", "finding": an event of that kind; "timer": an event of the timer `timer`; "slot": a slot with more than `over` timers; "cost": a tick in which the cost of a lane exceeds `over`; "differ": a tick in which the lanes do not all fire and reject the same timers */
      what: "expire" | "cascade" | "reject" | "finding" | "timer" | "slot" | "cost" | "differ";
      /** direction, 1 for forward or −1 for backward */
      n: number;
      /** ID of the lane to search; if missing, all lanes are searched */
      lane?: string;
      /** name of the timer to search for, valid only if `what` is "timer" */
      timer?: string;
      /** threshold, 0 or more, that the number of timers in a slot or the cost of a lane in a tick must exceed; valid only if `what` is "slot" or "cost" */
      over?: number;
    };
    /** performs an operation in all lanes at a tick. It adds the operation to the scenario, opens the run of the edited scenario, and leaves the cursor at the end of that tick. */
    op: {
      op: "schedule" | "set" | "cancel" | "reset";
      timer: string;
      /** delay of the timer, a number of ticks or a duration as a string */
      delay?: any;
      /** interval of a repeating timer, in the same form as `delay` */
      every?: any;
      /** digest of the run that the command is for, 16 digits or more; if the session shows another one, the command is refused */
      run?: string;
      /** tick of the operation; if missing, the tick of the cursor */
      tick?: number;
      /** number of runs of a repeating timer, valid only with `every`; −1 or missing means no limit */
      times?: number;
    };
    /** opens another run, paused. `scenario` or `text` selects it or, without either, `run`. */
    load: {
      /** name of a built-in scenario, or a scenario object */
      scenario?: any;
      /** text of a scenario file */
      text?: string;
      /** digest of a run, of which the first 16 digits are enough. Without `scenario` and `text`: the run to open, which must be on the server, such as one returned by `/api/import`. With one of them: the run that the command is for; if the session shows another one, the command is refused */
      run?: string;
      /** tick at the end of which the cursor is placed; if missing, it is placed before the first event */
      tick?: number;
    };
    /** adds, removes, replaces or moves a lane, and opens the run of the edited scenario. */
    lane: {
      /** lane object to add */
      add?: any;
      /** ID of the lane to remove */
      remove?: string;
      /** ID of the lane that `with` replaces */
      replace?: string;
      /** lane object that replaces the lane named by `replace` */
      with?: any;
      /** ID of the lane to move to the position `to` */
      move?: string;
      /** digest of the run that the command is for, as in `op` */
      run?: string;
      /** position to which the lane is moved, counting from 0 */
      to?: number;
    };
    /** requests a `state` message. Viewers that do not drive the session may send it too. */
    state: {
    };
    /** requests events of the run in `events` messages. Viewers that do not drive the session may send it too. While the answer to it is not complete, another one is refused. */
    events: {
      /** number of the event before the first one that is requested */
      from: number;
      /** number of events, 1 to 20,000 */
      n: number;
    };
    /** asks what would happen to timers that are scheduled at the end of a tick, without changing anything. A `preview` message answers it. */
    preview: {
      /** digest of the run that the command is for, as in `op` */
      run: string;
      /** tick at the end of which the timers are scheduled */
      tick: number;
      /** delays of the timers, 1 to 256 whole numbers, 0 or more */
      delays: number[];
    };
  }
}
