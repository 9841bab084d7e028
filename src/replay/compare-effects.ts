/**
 * What a turn did when it was recorded and what it does now, field by field. A recording outlines
 * each effect; the whole of a command or an answer is found where it arrived: it is an input of a
 * later turn.
 */
import type { AuthorityEffect, ClientEffect } from "../core/kernel/component.ts";
import { type EffectOutline, outlinesOf } from "../host/recording/effect-outline.ts";
import type { RecordedInput } from "../host/recording/entry.ts";

export interface FieldPair {
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}

/** One effect on both sides, with every field that either has. */
export interface EffectPair {
  /** Its place among the effects of the turn, from 1. */
  readonly effect: number;
  readonly fields: readonly FieldPair[];
}

/** The component does not do this on that side. */
export const NOTHING = "(nothing)";
/**
 * The recording does not say: formats 1 and 2 kept a digest of the effects, and some answers leave
 * the plane.
 */
export const NOT_RECORDED = "(not recorded)";

/** An input of a later turn, with the component that was given it. */
export type LaterInput = readonly [component: string, input: RecordedInput];

export interface Compared {
  readonly component: string;
  /** Undefined: the recording has only a digest. */
  readonly expected: readonly EffectOutline[] | undefined;
  readonly got: readonly (AuthorityEffect | ClientEffect)[];
  /** Of `got`, where the recording has other keys. */
  readonly outlines?: readonly EffectOutline[];
  readonly later: Iterable<LaterInput>;
}

type Fields = ReadonlyMap<string, string>;

/** Only effects that differ; of a recording that has only a digest, all. */
export function compareEffects(compared: Compared): EffectPair[] {
  const { component, expected, got, outlines = outlinesOf(got), later } = compared;
  const arrived = arrivals(component, later);
  const wholes = new Map(got.flatMap((effect) => wholeOf(effect) ?? []));
  const { from, pairs } = differing(expected ?? outlines, outlines, expected !== undefined);
  return pairs.map(([was, now], at) => {
    // Beside an outline of today stands what arrived, also where the recording has no outline.
    const recorded = fieldsOf(expected === undefined ? undefined : was, arrived.get(idOf(was)));
    const actual = fieldsOf(now, wholes.get(idOf(now)));
    const otherwise = expected === undefined || was !== undefined ? NOT_RECORDED : NOTHING;
    return { effect: from + at + 1, fields: paired(recorded, actual, otherwise) };
  });
}

/** What to say in one line: the first field that is not the same. */
export function firstDifference(pairs: readonly EffectPair[]): FieldPair | undefined {
  const fields = pairs.flatMap((pair) => pair.fields);
  const others = fields.filter(({ expected, got }) => expected !== got);
  return others.find(({ expected }) => expected !== NOT_RECORDED) ?? others[0];
}

type Pair = readonly [was: EffectOutline | undefined, now: EffectOutline | undefined];

/** Both sides share a beginning and an end; the rest is paired in order. */
function differing(
  was: readonly EffectOutline[],
  now: readonly EffectOutline[],
  isRecorded: boolean,
): { readonly from: number; readonly pairs: readonly Pair[] } {
  const shorter = isRecorded ? Math.min(was.length, now.length) : 0;
  let from = 0;
  while (from < shorter && isSame(was[from], now[from])) from += 1;
  let tail = 0;
  while (tail < shorter - from && isSame(was.at(-1 - tail), now.at(-1 - tail))) {
    tail += 1;
  }
  const before = was.slice(from, was.length - tail);
  const after = now.slice(from, now.length - tail);
  const length = Math.max(before.length, after.length);
  return { from, pairs: Array.from({ length }, (_, at) => [before[at], after[at]]) };
}

const isSame = (was: EffectOutline | undefined, now: EffectOutline | undefined): boolean =>
  JSON.stringify(was) === JSON.stringify(now);

function paired(recorded: Fields, actual: Fields, otherwise: string): FieldPair[] {
  const names = new Set([...actual.keys(), ...recorded.keys()]);
  return [...names].map((field) => ({
    field,
    expected: recorded.get(field) ?? otherwise,
    got: actual.get(field) ?? NOTHING,
  }));
}

function fieldsOf(outline: EffectOutline | undefined, whole: unknown): Fields {
  const fields = new Map<string, string>();
  if (outline !== undefined) flatten(outline, "", fields);
  if (whole !== undefined) flatten(whole, "", fields);
  return fields;
}

/** By name, the parts of a value that have no parts. */
function flatten(value: unknown, name: string, into: Map<string, string>): void {
  if (typeof value !== "object" || value === null) {
    into.set(name, typeof value === "string" ? value : JSON.stringify(value ?? null));
    return;
  }
  for (const [part, field] of Object.entries(value)) {
    if (field !== undefined) flatten(field, name === "" ? part : `${name}.${part}`, into);
  }
}

/** What a command or an answer is known by at both ends. */
function idOf(outline: EffectOutline | undefined): string {
  if (outline?.kind === "request") return `request ${outline.call}`;
  return outline?.kind === "respond" ? `respond ${outline.to} ${outline.call}` : "";
}

function wholeOf(effect: AuthorityEffect | ClientEffect): [string, unknown][] | undefined {
  if (effect.kind === "request") {
    return [[`request ${effect.call}`, { request: effect.request }]];
  }
  if (effect.kind !== "respond") return undefined;
  return [[`respond ${effect.to} ${effect.call}`, { reply: effect.reply }]];
}

/**
 * The first arrival counts: a call of the same number may be made again much later, by a later
 * incarnation.
 */
function arrivals(component: string, later: Iterable<LaterInput>): ReadonlyMap<string, unknown> {
  const arrived = new Map<string, unknown>();
  const add = (id: string, whole: unknown): void => {
    if (!arrived.has(id)) arrived.set(id, whole);
  };
  for (const [to, input] of later) {
    if (input.kind === "request" && input.from === component) {
      add(`request ${input.call}`, { request: input.request });
    }
    if (input.kind === "reply") add(`respond ${to} ${input.call}`, { reply: input.reply });
  }
  return arrived;
}
