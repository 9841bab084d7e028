/**
 * Selects the lines of a trace that a person needs to understand a violation: the faults, crashes
 * and changes of leadership, the operations on the violated object, and the other replicas that
 * were sent to its node.
 */
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { Violation } from "../check/checker.ts";
import type { TraceLine } from "./run-result.ts";

/** How the engine words a fault, a crash, and a change of leadership. */
const TROUBLE = [
  /^(crashed|started|claimed the log|resigned|stopped by|heals|append \d+ answered unknown)/,
  /^(cannot reach|its clock|the node |watch-|stale-list)/,
  /\bthe (request|reply) (was|is) /,
] as const;

/** How the engine words the events of a watch. */
const NEWS = "saw ";

export function relevantLines(
  trace: readonly TraceLine[],
  violation: Pick<Violation, "key" | "message">,
): readonly TraceLine[] {
  const isAbout = aboutObject(violation.key);
  const names = new Set([
    ...neighbourOperations(trace, violation),
    ...placesOf(trace, violation).map((node) => `health/${node}`),
  ]);
  const matters = (line: TraceLine): boolean =>
    isTrouble(line) || isAbout(line) || [...names].some((name) => mentions(line.text, name));
  return withoutRoutine(withoutIdleNews(trace.filter(matters)));
}

/**
 * News matters to the component that acts on it: of all news before an act, only the last is kept.
 */
function withoutIdleNews(lines: readonly TraceLine[]): readonly TraceLine[] {
  const kept = new Set<TraceLine>();
  const unused = new Map<string, TraceLine>();
  for (const line of lines) {
    if (isNews(line)) {
      unused.set(line.component, line);
      continue;
    }
    kept.add(line);
    const news = unused.get(line.component);
    if (news !== undefined) kept.add(news);
    unused.delete(line.component);
  }
  return lines.filter((line) => kept.has(line));
}

/** The nodes of the violated replica: their history is part of its own. */
function placesOf(
  trace: readonly TraceLine[],
  { key }: Pick<Violation, "key" | "message">,
): readonly string[] {
  return trace.flatMap(({ decision: record }) => {
    if (record === undefined || record.key !== key || record.decision.kind !== "propose") return [];
    const { chosen } = record.decision.because;
    return chosen === undefined ? [] : [chosen];
  });
}

/**
 * Of a repeated line, such as a lease renewal every few seconds, the first and the last are enough.
 */
function withoutRoutine(lines: readonly TraceLine[]): readonly TraceLine[] {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const shape = shapeOf(line);
    if (!first.has(shape)) first.set(shape, index);
    last.set(shape, index);
  }
  return lines.filter((line, index) => {
    const shape = shapeOf(line);
    return isTrouble(line) || first.get(shape) === index || last.get(shape) === index;
  });
}

/** The line without its counters. */
function shapeOf({ component, text }: TraceLine): string {
  const shape = text.replaceAll(/\blease\/\S+/g, "lease").replaceAll(/revision \d+/g, "revision");
  return `${component} ${shape}`;
}

function isTrouble(line: TraceLine): boolean {
  return TROUBLE.some((pattern) => pattern.test(line.text));
}

function isNews(line: TraceLine): boolean {
  return line.text.startsWith(NEWS);
}

function aboutObject(key: ObjectKey | undefined): (line: TraceLine) => boolean {
  if (key === undefined) return () => false;
  const names = namesOf(key);
  return (line) =>
    line.decision?.key === key ||
    names.some((name) => mentions(line.text, name) || line.component === `agent:${name}`);
}

/** Operations are made of keys, so the tenant and name find them too. */
function namesOf(key: ObjectKey): readonly string[] {
  const { namespace, name } = parseKey(key);
  return namespace === "" ? [key, name] : [key, `${namespace}/${name}`];
}

/**
 * The operations that placed other replicas on a node of the violation: two replicas rarely
 * conflict alone.
 */
function neighbourOperations(
  trace: readonly TraceLine[],
  violation: Pick<Violation, "key" | "message">,
): readonly string[] {
  return trace.flatMap(({ decision: record }) => {
    if (record?.decision.kind !== "propose") return [];
    const { chosen } = record.decision.because;
    const isHere = chosen !== undefined && mentions(` ${violation.message}`, ` ${chosen}`);
    return isHere ? record.decision.intents.map(({ operation }) => operation) : [];
  });
}

/** As a whole name: `risk-api.1.1` is not `risk-api.1.10`. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isNamePart(text[at + name.length])) return true;
  }
  return false;
}

function isNamePart(char: string | undefined): boolean {
  return char !== undefined && /[a-z0-9-]/.test(char);
}
