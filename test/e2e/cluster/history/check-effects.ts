/** Whether every write had the effect that its sender was told of: one, none, or, where nobody knows, at most one. */
import { type Answer, type Call, called, isPut, type Write } from "./call.ts";
import type { Finding } from "./finding.ts";
import type { EventDraft, Order } from "./order.ts";

export function checkEffects(calls: readonly Call[], order: Order): readonly Finding[] {
  return [
    ...calls.flatMap((call) => (isPut(call.asked) ? checkPut(call, call.asked, order) : [])),
    ...checkDeletions(calls, order),
    ...checkAuthors(calls, order),
    ...calls.flatMap(checkRepeat),
    ...calls.flatMap((call) => checkList(call, order)),
  ];
}

function checkPut(call: Call, asked: Write, order: Order): readonly Finding[] {
  const atMs = call.invokedMs;
  const [effect, second] = order.having(asked.key, asked.value);
  const { answer } = call;
  if (second !== undefined) {
    const text = `${called(call)} took effect at ${effect?.revision} and at ${second.revision}.`;
    return [{ kind: "duplicate-effect", text, atMs }];
  }
  // That an acknowledged one is missing is found where it is looked up in the watches.
  if (effect === undefined || answer.kind === "unknown") return [];
  if (answer.kind !== "shown") {
    const text = `${called(call)} was answered ${JSON.stringify(answer)}, and took effect at ${effect.revision}.`;
    return [{ kind: "refused-took-effect", text, atMs }];
  }
  const wrong = wrongPlace(asked, order.at(asked.key, effect.revision - 1));
  if (wrong === undefined) return [];
  return [
    { ...wrong, text: `${called(call)} took effect at ${effect.revision} ${wrong.text}.`, atMs },
  ];
}

/** Of a write that took effect on this. */
function wrongPlace(asked: Write, on: EventDraft | undefined): Finding | undefined {
  const isThere = on?.value !== undefined;
  if (asked.op === "create") {
    return isThere ? { kind: "wrong-effect", text: `although ${on.value} was there` } : undefined;
  }
  if (!isThere) return { kind: "wrong-effect", text: "although nothing was there" };
  const { expected } = asked;
  if (expected === undefined || expected === on.revision) return undefined;
  return { kind: "lost-update", text: `over ${on.value} of ${on.revision}` };
}

/** An incarnation of a key ends once, by one request. */
function checkDeletions(calls: readonly Call[], order: Order): readonly Finding[] {
  const findings: Finding[] = [];
  const ended = new Map<string, Call>();
  const open = new Map<string, number>();
  for (const call of calls) {
    const { asked, answer, invokedMs: atMs } = call;
    if (asked.op !== "delete") continue;
    if (answer.kind === "unknown") open.set(asked.key, (open.get(asked.key) ?? 0) + 1);
    if (answer.kind !== "deleted") continue;
    const other = ended.get(answer.uid);
    ended.set(answer.uid, call);
    if (other === undefined) continue;
    const text = `${called(call)} deleted ${answer.uid}, and so did ${called(other)}.`;
    findings.push({ kind: "lost-update", text, atMs });
  }
  for (const key of order.keys) {
    const unclaimed = order
      .of(key)
      .filter(({ value, uid }) => value === undefined && !ended.has(uid));
    const surplus = unclaimed.slice(open.get(key) ?? 0);
    for (const { revision, uid } of surplus) {
      const text = `${key} (${uid}) was deleted at ${revision}, and no request is left that can have done it.`;
      findings.push({ kind: "duplicate-effect", text });
    }
  }
  return findings;
}

function checkAuthors(calls: readonly Call[], order: Order): readonly Finding[] {
  const written = new Set<string>();
  for (const { asked } of calls) if (isPut(asked)) written.add(`${asked.key}=${asked.value}`);
  return order.keys.flatMap((key) =>
    order.of(key).flatMap(({ value, revision }): Finding[] => {
      if (value === undefined || written.has(`${key}=${value}`)) return [];
      return [
        { kind: "unexplained", text: `${key} had ${value} at ${revision}, which nobody wrote.` },
      ];
    }),
  );
}

/** Who is not served the second time has learnt nothing. */
const isAnswer = ({ kind }: Answer): boolean => kind !== "unknown" && kind !== "refused";

function checkRepeat(call: Call): readonly Finding[] {
  const { answer, again } = call;
  if (again === undefined || !isAnswer(answer) || !isAnswer(again)) return [];
  if (answer.kind === again.kind && wrote(answer) === wrote(again)) return [];
  const text = `${called(call)} was answered ${JSON.stringify(answer)}, and when sent again ${JSON.stringify(again)}.`;
  return [{ kind: "repeat-differs", text, atMs: call.invokedMs }];
}

function wrote(answer: Answer): string {
  if (answer.kind === "deleted") return answer.uid;
  return answer.kind === "shown" ? `${answer.object.revision} ${answer.object.value}` : "";
}

/** Every key as of the list's own revision, those that are not in it, too. */
function checkList(call: Call, order: Order): readonly Finding[] {
  const { answer, invokedMs: atMs } = call;
  if (answer.kind !== "listed") return [];
  const listed = new Map(answer.objects.map((object) => [object.key, object.revision]));
  return order.keys.flatMap((key): Finding[] => {
    const then = order.at(key, answer.revision);
    const expected = then?.value === undefined ? undefined : then.revision;
    if (listed.get(key) === expected) return [];
    const text = `${called(call)} as of ${answer.revision} has ${key} of ${listed.get(key) ?? "never"}, which was of ${expected ?? "never"} then.`;
    return [{ kind: "torn-list", text, atMs }];
  });
}
