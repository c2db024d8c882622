// @ts-check
/** The directions in which a lane's rule may miss due ticks. templates/bias.go is the same in Go. */
import { traitsOf } from "../state/traits.js";

/**
 * Returns how a lane may miss due ticks. @param {{algorithm: string, exact: boolean, params?: Record<string, any>}} info
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
