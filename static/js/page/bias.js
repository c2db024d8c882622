// @ts-check
/**
 * The directions in which timers of a lane may miss their due ticks. This module must agree with
 * templates/bias.go.
 */
import { traitsOf } from "../state/traits.js";

/**
 * Returns whether timers of a lane fire at their due ticks, or may fire late, early, or both.
 * @param {{algorithm: string, exact: boolean, params?: Record<string, any>}} info
 * @returns {"exact"|"late"|"early"|"both"}
 */
export function biasOf({ algorithm, exact, params = {} }) {
  if (exact) return "exact";
  if (algorithm === "redis" && params.as === "corrected") return "late";
  const { bias } = traitsOf(algorithm);
  if (bias === "both" || bias === "early") return bias;
  if (params.variant === "procinc" || (params.migration && params.migration !== "full")) return "both";
  return params.rounding === "floor" ? "early" : "late";
}
