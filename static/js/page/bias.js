// @ts-check
/** The directions in which a lane's rule may miss due ticks. templates/bias.go is the same in Go. */

const BOTH = new Set(["lk668", "xiaoxu", "godis", "redis"]);
const EARLY = new Set(["kafka", "riicarus"]);

/**
 * @param {{algorithm: string, exact: boolean, params?: Record<string, any>}} info
 * @returns {"exact"|"late"|"early"|"both"}
 */
export function biasOf({ algorithm, exact, params = {} }) {
  if (exact) return "exact";
  if (algorithm === "redis" && params.as === "corrected") return "late";
  if (BOTH.has(algorithm)) return "both";
  if (EARLY.has(algorithm)) return "early";
  if (params.variant === "procinc" || (params.migration && params.migration !== "full")) return "both";
  return params.rounding === "floor" ? "early" : "late";
}
