/**
 * Keys as the build of a recording wrote them. A key is the subject of random choices and stands in
 * operation ids, so a replay draws by the old key and compares the old text; people are shown
 * today's.
 */
import type { AuthorityEffect, ClientEffect } from "../core/kernel/component.ts";
import { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import type { ObjectKey, OperationId } from "../core/model/ids.ts";
import type { EffectOutline } from "../host/recording/effect-outline.ts";
import { joinedKey, withSplitWords, splitKey } from "../host/split-words.ts";

export type Effect = AuthorityEffect | ClientEffect;

export interface RecordedKeys {
  readonly turnOf: (seed: number, component: string) => KeyedTurn;
  /** The effects with the keys that the recording has. */
  readonly recorded: (effects: readonly Effect[]) => readonly Effect[];
  /** Recorded outlines with today's keys. */
  readonly today: (outlines: readonly EffectOutline[]) => readonly EffectOutline[];
}

/** The format of the contents in which recovery budgets got their key. */
const SPLIT_FORMAT = 3;

const SAME: RecordedKeys = {
  turnOf: (seed, component) => new KeyedTurn(seed, component),
  recorded: (effects) => effects,
  today: (outlines) => outlines,
};

const JOINED: RecordedKeys = {
  turnOf: (seed, component) => new JoinedTurn(seed, component),
  recorded: (effects) => effects.map(joinedEffect),
  today: (outlines) => outlines.map(splitOutline),
};

/** `format` is that of the contents of the chapter. */
export const recordedKeys = (format: number): RecordedKeys =>
  format < SPLIT_FORMAT ? JOINED : SAME;

class JoinedTurn extends KeyedTurn {
  override random(site: string, subject: string): number {
    return super.random(site, joinedKey(subject));
  }
}

const joinedId = (id: OperationId): OperationId => joinedKey(id) as OperationId;

function joinedEffect(effect: Effect): Effect {
  switch (effect.kind) {
    case "request": {
      const { request } = effect;
      if (request.kind !== "command") {
        return { ...effect, request: { ...request, operation: joinedId(request.operation) } };
      }
      const { intent } = request.command;
      const joined = { ...intent, operation: joinedId(intent.operation) };
      return {
        ...effect,
        request: { ...request, command: { ...request.command, intent: joined } },
      };
    }
    case "decision": {
      const key = joinedKey(effect.record.key) as ObjectKey;
      return { ...effect, record: { ...effect.record, key } };
    }
    case "append": {
      const commits = effect.commits.map((commit) => ({
        ...commit,
        operation: joinedId(commit.operation),
      }));
      return { ...effect, commits };
    }
    default:
      return effect;
  }
}

function splitOutline(outline: EffectOutline): EffectOutline {
  if (outline.kind !== "append") return withSplitWords(outline) as EffectOutline;
  const commits = Object.entries(outline.commits).map(([at, id]) => [at, splitKey(id)] as const);
  return { ...outline, commits: Object.fromEntries(commits) };
}
