/**
 * What a turn did, as a recording keeps it: the fields that matter to others (commands, answers, appends,
 * timers, decisions), by name. A replay compares them one by one and can show both sides of a difference;
 * what is long and stands elsewhere in the recording, such as a command, is left out.
 */
import type { AuthorityEffect, ClientEffect } from "../../core/kernel/component.ts";
import { finish, hashText, mix } from "../../core/kernel/keyed-hash.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";

export type EffectOutline =
  | { readonly kind: "request"; readonly call: number; readonly operation: string }
  | { readonly kind: "timer"; readonly atMs: number }
  | { readonly kind: "decision"; readonly key: string; readonly decision: string }
  | {
      readonly kind: "append";
      readonly epoch: Epoch;
      readonly commits: readonly (readonly [revision: Revision, operation: string])[];
    }
  | {
      readonly kind: "respond";
      readonly to: string;
      readonly call: number;
      readonly said: string;
    }
  | { readonly kind: "publish"; readonly to: Revision }
  | { readonly kind: "list" | "claim" | "resigned" }
  /** Decisions beyond the first hundred of a turn. */
  | { readonly kind: "more-decisions"; readonly count: number; readonly digest: number };

type Effect = AuthorityEffect | ClientEffect;

/** A resync decides about thousands of keys in one turn, mostly as before; naming all would fill the recording. */
const DECISIONS_NAMED = 100;

export function outlinesOf(effects: readonly Effect[]): readonly EffectOutline[] {
  const outlines: EffectOutline[] = [];
  let decisions = 0;
  let digest = 0;
  for (const effect of effects) {
    const outline = outlineOf(effect);
    if (outline.kind === "decision" && (decisions += 1) > DECISIONS_NAMED) {
      digest = mix(mix(digest, hashText(outline.key)), hashText(outline.decision));
    } else outlines.push(outline);
  }
  const count = decisions - DECISIONS_NAMED;
  if (count > 0) outlines.push({ kind: "more-decisions", count, digest: finish(digest) });
  return outlines;
}

function outlineOf(effect: Effect): EffectOutline {
  switch (effect.kind) {
    case "request": {
      const { call, request } = effect;
      const operation =
        request.kind === "command" ? request.command.intent.operation : request.operation;
      return { kind: "request", call, operation };
    }
    case "timer":
      return { kind: "timer", atMs: effect.atMs };
    case "decision": {
      const { key, decision } = effect.record;
      return { kind: "decision", key, decision: decision.kind };
    }
    case "append": {
      const commits = effect.commits.map(
        ({ revision, operation }) => [revision, operation] as const,
      );
      return { kind: "append", epoch: effect.epoch, commits };
    }
    case "respond": {
      const { to, call, reply } = effect;
      const said = reply.kind === "outcome" ? reply.outcome.kind : reply.kind;
      return { kind: "respond", to, call, said };
    }
    case "publish":
      return { kind: "publish", to: effect.to };
    default:
      return { kind: effect.kind };
  }
}
