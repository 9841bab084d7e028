/**
 * What a turn did, as a recording keeps it: the fields that matter to others (commands, answers,
 * appends, timers, decisions), by name. A replay compares them one by one and can show both sides
 * of a difference; what is long and stands elsewhere in the recording, such as a command, is left
 * out. It is written as text at once: making objects first takes a busy plane three times as long.
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
      /** Operations by revision. */
      readonly commits: Readonly<Record<Revision, string>>;
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

/**
 * A resync decides about thousands of keys in one turn, mostly as before; naming all would fill the
 * recording.
 */
const DECISIONS_NAMED = 100;

export const outlinesOf = (effects: readonly Effect[]): readonly EffectOutline[] =>
  JSON.parse(encodeOutlines(effects)) as readonly EffectOutline[];

/** The JSON of all outlines, in order. */
export function encodeOutlines(effects: readonly Effect[]): string {
  let text = "";
  let decisions = 0;
  let digest = 0;
  for (const effect of effects) {
    if (effect.kind === "decision" && (decisions += 1) > DECISIONS_NAMED) {
      const { key, decision } = effect.record;
      digest = mix(mix(digest, hashText(key)), hashText(decision.kind));
    } else text += `${text === "" ? "" : ","}${outlineOf(effect)}`;
  }
  const count = decisions - DECISIONS_NAMED;
  const more = `,{"kind":"more-decisions","count":${count},"digest":${finish(digest)}}`;
  return `[${text}${count > 0 ? more : ""}]`;
}

const quoted = (text: string): string => JSON.stringify(text);

function outlineOf(effect: Effect): string {
  switch (effect.kind) {
    case "request": {
      const { call, request } = effect;
      const operation =
        request.kind === "command" ? request.command.intent.operation : request.operation;
      return `{"kind":"request","call":${call},"operation":${quoted(operation)}}`;
    }
    case "timer":
      return `{"kind":"timer","atMs":${effect.atMs}}`;
    case "decision": {
      const { key, decision } = effect.record;
      return `{"kind":"decision","key":${quoted(key)},"decision":"${decision.kind}"}`;
    }
    case "append": {
      let commits = "";
      for (const { revision, operation } of effect.commits) {
        commits += `${commits === "" ? "" : ","}"${revision}":${quoted(operation)}`;
      }
      return `{"kind":"append","epoch":${effect.epoch},"commits":{${commits}}}`;
    }
    case "respond": {
      const { to, call, reply } = effect;
      const said = reply.kind === "outcome" ? reply.outcome.kind : reply.kind;
      return `{"kind":"respond","to":${quoted(to)},"call":${call},"said":"${said}"}`;
    }
    case "publish":
      return `{"kind":"publish","to":${effect.to}}`;
    default:
      return `{"kind":"${effect.kind}"}`;
  }
}
