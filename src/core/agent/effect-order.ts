/**
 * The order in which what a turn decided is carried out (LB6). The lease goes before everything
 * that takes time, such as starts and probes, and only after what has to be durable before it may
 * be said.
 */
import type { AgentEffect } from "../kernel/component.ts";

/**
 * Session and epoch are durable before anything is said under them; then the leash, then the
 * renewal.
 */
function rankOf(effect: AgentEffect): number {
  if (effect.kind === "remember") return 0;
  if (effect.kind === "leash") return 1;
  return isRenewal(effect) ? 2 : 3;
}

export const isRenewal = (effect: AgentEffect): boolean =>
  effect.kind === "request" &&
  effect.request.kind === "command" &&
  effect.request.command.intent.kind === "lease";

export function leaseFirst(effects: readonly AgentEffect[]): readonly AgentEffect[] {
  return effects.length < 2 ? effects : effects.toSorted((a, b) => rankOf(a) - rankOf(b));
}
