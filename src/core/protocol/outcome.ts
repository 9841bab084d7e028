/** What the authority answers. Every answer is a value; none of them is an exception. */
import type { Epoch, Revision } from "../model/ids.ts";
import type { RefusalCode } from "./refusals.ts";
import type { SecretsDecision } from "./secrets-ask.ts";

export interface Committed {
  readonly kind: "committed";
  readonly revision: Revision;
}

/** A no that says which rule, which field, and what was found there. */
export interface Refusal {
  /** `conflict`: a fresher view might have known better. `refused`: no view makes this right. */
  readonly kind: "conflict" | "refused";
  readonly code: RefusalCode;
  readonly rule: string;
  /** The object or quantity the rule looked at, e.g. "Node//a-1 cpuMillis". */
  readonly field: string;
  readonly expected: string | number;
  readonly actual: string | number;
  /** What the authority knew when it said no: a view at least this new has seen the cause. */
  readonly revision: Revision;
}

export type Outcome =
  | Committed
  /** This operation already had its one effect; the first outcome is returned ever after. */
  | {
      readonly kind: "duplicate";
      readonly first: Committed;
      /**
       * How far the truth had come when this was said: much may have happened since the first
       * effect.
       */
      readonly asOf: Revision;
    }
  | Refusal;

/**
 * A reply to a request that reached a plane. A request that got no reply may still have had its
 * effect.
 */
export type Reply =
  | { readonly kind: "outcome"; readonly outcome: Outcome; readonly epoch: Epoch }
  | {
      readonly kind: "found";
      readonly first: Committed;
      readonly asOf: Revision;
      readonly epoch: Epoch;
    }
  | { readonly kind: "not-found"; readonly epoch: Epoch }
  | { readonly kind: "secrets"; readonly decided: SecretsDecision; readonly epoch: Epoch }
  /** This plane does not lead (or is not loaded yet): nothing happened here. */
  | { readonly kind: "unavailable" };
