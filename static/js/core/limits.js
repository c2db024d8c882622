// @ts-check
/** Limits of the program that the page needs, too. Generated from the Go constants by make generate. DO NOT EDIT. */

/** From templates.PlacesMax: maximum number of places of a lane that have a row in its table. */
export const PLACES_MAX = 16384;
/** From templates.placesShown: maximum number of rows of a table that are visible. */
export const PLACES_SHOWN = 200;
/** From templates.placesRich: maximum number of places of a lane for which the HTML of the lane's table contains an element with a tooltip for each timer. */
export const PLACES_RICH = 64;
/** From templates.TimersShown: maximum number of timers of a place whose names are shown. */
export const TIMERS_SHOWN = 20;
/** From templates.gap: separator of timer names, an em space. */
export const GAP = "\u2003";
/** From templates.stageLanes: minimum number of lanes for which StageLayout is the default, unless the page is embedded in another. */
export const STAGE_LANES = 4;
/** From templates.heatBinsMax: maximum number of bins into which a ring is divided. */
export const HEAT_BINS_MAX = 1024;
/** From templates.heatSteps: number of shades that represent the number of timers in a slot. */
export const HEAT_STEPS = 64;
/** From templates.queueShown: maximum number of buckets or timers of a queue that are shown. */
export const QUEUE_SHOWN = 6;
/** From web/view.widthsShown: maximum length of a list of slot widths that is shown in full. */
export const WIDTHS_SHOWN = 4;
/** From web/session/protocol.LaneTimersMax: maximum number of timers of a lane that are sent individually; a lane with more timers is in ModeCounts. */
export const LANE_TIMERS_MAX = 2000;
/** From web/session/protocol.ImportBytesMax: maximum size, in bytes, of a file to import or to compare with a run; larger ones are for the command line. */
export const IMPORT_BYTES_MAX = 67108864;
/** From web/session.DidEventsMax: maximum number of events counted for the "did" field of a message, the activity of the lanes; if there are more, the field is null. */
export const DID_EVENTS_MAX = 131072;
/** From sim/cursor.FlowsMax: maximum number of flows that Activity counts for a lane. */
export const FLOWS_MAX = 512;
/** From sim/cursor.RowsMax: maximum number of events, of all lanes together, that Activity lists one by one. */
export const ROWS_MAX = 1000;
/** From web/api.NextEventsMax: maximum number of events in an answer about the next step. */
export const NEXT_EVENTS_MAX = 60;
/** From web/api.RecentEventsMax: maximum number of events in an answer about the last events. */
export const RECENT_EVENTS_MAX = 200;
/** From web/api.LifeEventsMax: maximum number of events in an answer about one timer. */
export const LIFE_EVENTS_MAX = 400;
