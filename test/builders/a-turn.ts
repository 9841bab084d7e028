/** A moment on one component's clock. Its randomness is the same for the same site and subject, always. */
import type { Refusal } from "../../src/core/protocol/outcome.ts";
import type { Look } from "../../src/core/protocol/decision.ts";
import type { Turn } from "../../src/core/protocol/turn.ts";

export const aTurn = (now = 0): Turn => ({ now, random: drawn });

export const aLook = (
  now = 0,
  of: { readonly feedback?: readonly Refusal[]; readonly failures?: number } = {},
): Look => ({ now, random: drawn, feedback: of.feedback ?? [], failures: of.failures ?? 0 });

function drawn(site: string, subject: string): number {
  let hash = 7;
  for (const char of `${site}/${subject}`) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
