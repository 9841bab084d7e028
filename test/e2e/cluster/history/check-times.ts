/**
 * Whether all that was answered could have happened in the order of the revisions, each thing at one moment between its
 * question and its answer. Every call gets the earliest revision at which its answer was true and that no call which was over
 * before it began lies after. If one has none, no other choice has one either: to choose earlier ones is never worse.
 */
import { type Asked, type Call, called, isPut } from "./call.ts";
import type { Finding } from "./finding.ts";
import type { EventDraft, Order } from "./order.ts";

interface Placed {
  readonly call: Call;
  readonly point: number;
}

export function checkTimes(calls: readonly Call[], order: Order): readonly Finding[] {
  const findings: Finding[] = [];
  const ended = [...calls].filter(isOver).toSorted((a, b) => a.returnedMs - b.returnedMs);
  const points = new Map<Call, number>();
  let over = 0;
  let floor: Placed | undefined;
  for (const call of [...calls].toSorted((a, b) => a.invokedMs - b.invokedMs)) {
    for (let done = ended[over]; done !== undefined; done = ended[over]) {
      if (done.returnedMs >= call.invokedMs) break;
      over += 1;
      const point = points.get(done);
      if (point !== undefined && point > (floor?.point ?? -1)) floor = { call: done, point };
    }
    const found = place(call, order, floor);
    if (found.finding !== undefined) findings.push(found.finding);
    if (found.point !== undefined) points.set(call, found.point);
  }
  return findings;
}

/** What is not known to be over keeps nobody from anything. */
const isOver = ({ answer: { kind } }: Call): boolean => kind !== "unknown" && kind !== "refused";

interface Placing {
  readonly point?: number;
  readonly finding?: Finding;
}

function place(call: Call, order: Order, floor: Placed | undefined): Placing {
  const { asked } = call;
  const notBefore = asked.op === "get" ? asked.notBefore : undefined;
  // Who names a revision is content with one that is older than now.
  const from = notBefore ?? floor?.point ?? 0;
  const point = firstPoint(call, order, from);
  if (point === "anywhere") return {};
  if (point !== undefined) return { point };
  const told = `${called(call)} was answered ${JSON.stringify(call.answer)}`;
  const atMs = call.invokedMs;
  if (notBefore !== undefined) {
    return { finding: { kind: "went-back", text: `${told}.`, atMs } };
  }
  const before = floor === undefined ? "" : `, after ${called(floor.call)} at ${floor.point}`;
  if (isForeseen(call, order)) {
    return { finding: { kind: "unexplained", text: `${told}, which was written later.`, atMs } };
  }
  const isOwnRead = floor?.call.client === call.client && !isPut(floor.call.asked);
  const kind = isPut(asked) || asked.op === "delete" ? "out-of-order" : "stale-read";
  const text = `${told}${before}.`;
  return {
    finding: { kind: kind === "stale-read" && isOwnRead ? "went-back" : kind, text, atMs },
  };
}

/** Undefined: at no revision from there on was it so. Anywhere: it says nothing about any. */
function firstPoint(call: Call, order: Order, from: number): number | undefined | "anywhere" {
  const { asked, answer, returnedMs } = call;
  if (asked.op === "list") return listPoint(call, from);
  const { key } = asked;
  // What nobody has asked for yet explains no answer.
  const firstAt = (isSo: (event: EventDraft | undefined) => boolean): number | undefined =>
    order.firstAt(key, from, (event) => {
      const isYet = event === undefined || order.askedAtMs(event) <= returnedMs;
      return isYet && isSo(event);
    });
  if (isPut(asked)) {
    const [effect] = order.having(key, asked.value);
    if (effect !== undefined) return effect.revision >= from ? effect.revision : undefined;
  }
  switch (answer.kind) {
    case "shown": {
      const { revision } = answer.object;
      // Of a write that cannot be found something else is said.
      if (isPut(asked)) return "anywhere";
      return firstAt((event) => event?.revision === revision);
    }
    case "deleted": {
      const effect = order.deletionOf(answer.uid);
      if (effect === undefined) return "anywhere";
      return effect.revision >= from ? effect.revision : undefined;
    }
    case "absent":
      return firstAt((event) => event?.value === undefined);
    case "exists":
      return firstAt((event) => event?.value !== undefined);
    case "conflict":
      return conflictPoint(asked, firstAt);
    case "listed":
    case "refused":
    case "unknown":
      return "anywhere";
  }
}

function listPoint({ answer }: Call, from: number): number | undefined | "anywhere" {
  if (answer.kind !== "listed") return "anywhere";
  return answer.revision >= from ? answer.revision : undefined;
}

/** Without an expectation it only means that others were busy. */
function conflictPoint(
  asked: Asked,
  firstAt: (isSo: (event: EventDraft | undefined) => boolean) => number | undefined,
): number | undefined | "anywhere" {
  if (asked.op !== "replace" || asked.expected === undefined) return "anywhere";
  const { expected } = asked;
  return firstAt((event) => event?.value !== undefined && event.revision > expected);
}

/** Nobody is shown what nobody has asked for yet. */
function isForeseen({ answer, returnedMs }: Call, order: Order): boolean {
  if (answer.kind !== "shown") return false;
  const { key, revision } = answer.object;
  const event = order.at(key, revision);
  return event?.revision === revision && order.askedAtMs(event) > returnedMs;
}
