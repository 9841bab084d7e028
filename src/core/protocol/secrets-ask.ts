/**
 * What an agent asks before it starts a process that needs secrets, and what the authority decides
 * (SE11). The values themselves are no part of it: the API opens what was given, for the agent that
 * asked.
 */
import type { ObjectKey, Uid } from "../model/ids.ts";
import type { Rejection } from "./rejection.ts";

export interface SecretsAsk {
  readonly replica: ObjectKey;
  readonly uid: Uid;
  readonly incarnation: number;
  readonly node: string;
  readonly session: number;
}

export type SecretsDecision =
  /** All that its template names, each once. */
  | { readonly kind: "given"; readonly secrets: readonly ObjectKey[] }
  | { readonly kind: "withheld"; readonly because: Rejection };
