/** What became of the commands of many walks: which were committed, and what the others met. */
import type { SideBySide } from "./side-by-side.ts";

export class Tally {
  /** By kind, and by the kind of evidence where there is some. */
  readonly committed: Record<string, number> = {};
  readonly refused: Record<string, number> = {};
  private all = 0;
  private done = 0;

  static of(parts: readonly Tally[]): Tally {
    const whole = new Tally();
    for (const { committed, refused, all, done } of parts) {
      addAll(whole.committed, committed);
      addAll(whole.refused, refused);
      whole.all += all;
      whole.done += done;
    }
    return whole;
  }

  add({ sent, outcomes }: SideBySide): void {
    outcomes.forEach((outcome, at) => {
      this.all += 1;
      if ("code" in outcome) this.refused[outcome.code] = (this.refused[outcome.code] ?? 0) + 1;
      if (outcome.kind !== "committed") return;
      this.done += 1;
      const { intent } = sent[at]!;
      const cited = "evidence" in intent && intent.evidence ? ` ${intent.evidence.kind}` : "";
      const kind = `${intent.kind}${cited}`;
      this.committed[kind] = (this.committed[kind] ?? 0) + 1;
    });
  }

  /** The part that was committed. */
  get share(): number {
    return this.done / this.all;
  }
}

function addAll(to: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) to[name] = (to[name] ?? 0) + count;
}
