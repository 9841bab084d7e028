/** The cases that cost the plane most so far; changes of them are tried next, so that a run climbs towards what is dear. */
import { Draw } from "./draw.ts";
import type { BodyPart, HostileCase, HostileRequest } from "./hostile-case.ts";

const KEPT = 24;
/** Nothing gets through with more. */
const BODY_MOST = 3 * 1024 * 1024;

export class SlowCorpus {
  private entries: { readonly costMs: number; readonly case: HostileCase }[] = [];

  get dearest(): readonly { readonly costMs: number; readonly case: HostileCase }[] {
    return this.entries;
  }

  note(one: HostileCase, costMs: number): void {
    const last = this.entries.at(-1);
    if (this.entries.length >= KEPT && last !== undefined && costMs <= last.costMs) return;
    this.entries = [...this.entries, { costMs, case: one }]
      .toSorted((a, b) => b.costMs - a.costMs)
      .slice(0, KEPT);
  }

  /** One of the dearest, changed; `other` where there is none yet. */
  changed(seed: number, other: HostileCase): HostileCase {
    if (this.entries.length === 0) return other;
    const draw = new Draw(seed, "climb");
    const { case: one } = draw.pick(this.entries);
    const [base = one.name] = one.name.split("~");
    const requests = one.requests.map((request) =>
      draw.chance(70) ? grown(draw, request) : request,
    );
    return { name: `${base}~${seed}`, requests };
  }
}

function grown(draw: Draw, request: HostileRequest): HostileRequest {
  const { body = [] } = request;
  if (body.length === 0) return request;
  const at = draw.below(body.length);
  const part = body[at] ?? "";
  const changed = body.toSpliced(at, 1, ...grownPart(draw, part));
  const size = changed.reduce((sum, each) => sum + sizeOf(each), 0);
  return size > BODY_MOST ? request : { ...request, body: changed };
}

function grownPart(draw: Draw, part: BodyPart): readonly BodyPart[] {
  if (typeof part !== "string") {
    if ("base64" in part) return [part];
    const factor = draw.pick([0.5, 0.9, 1.3, 2, 4]);
    return [{ ...part, times: Math.max(1, Math.floor(part.times * factor)) }];
  }
  // Some run of the text, often enough to matter.
  const from = draw.below(part.length);
  const run = part.slice(from, from + draw.between(1, 60));
  const times = draw.size(20_000);
  return draw.chance(50)
    ? [part.slice(0, from), { text: run, times }, part.slice(from + run.length)]
    : [part.slice(0, from) + part.slice(from + run.length)];
}

const sizeOf = (part: BodyPart): number => {
  if (typeof part === "string") return part.length;
  return "base64" in part ? part.base64.length : part.text.length * part.times;
};
