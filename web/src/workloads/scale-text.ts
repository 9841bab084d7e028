/** What a number of replicas would do, before it is written. */

/** Undefined for what is none; one below zero is a number, and the plane's to refuse. */
export function wholeNumber(written: string): number | undefined {
  const text = written.trim();
  const value = Number(text);
  return text === "" || !Number.isSafeInteger(value) ? undefined : value;
}

export interface Scaling {
  readonly now: number;
  readonly written: string;
  /** Of a job only how many run at once can be scaled. */
  readonly isJob: boolean;
}

export function scaleText({ now, written, isJob }: Scaling): string {
  const to = wholeNumber(written);
  if (to === undefined) return "Write how many there are to be.";
  if (to < 0) return "There cannot be fewer than none.";
  const by = Math.abs(to - now);
  const replicas = by === 1 ? "replica" : "replicas";
  if (by === 0) return `It is ${now} already; nothing will change.`;
  if (isJob) {
    const what = to > now ? `up to ${by} more run` : `${by} fewer run`;
    return `From ${now} to ${to}: ${what} at once. How many there are to do stays.`;
  }
  if (to > now) {
    return `From ${now} to ${to}: ${by} more ${replicas} will be admitted, as far as the quota goes, and placed.`;
  }
  const last = to === 0 ? " Nothing of it will serve." : "";
  return `From ${now} to ${to}: ${by} ${replicas} will be asked to stop.${last}`;
}
