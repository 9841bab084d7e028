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
  if (to === undefined) return "Enter the number of replicas.";
  if (to < 0) return "The number must be 0 or more.";
  const by = Math.abs(to - now);
  const replicas = by === 1 ? "replica" : "replicas";
  if (by === 0) return `It is already ${now}; nothing will change.`;
  if (isJob) {
    const what = to > now ? `up to ${by} more run` : `${by} fewer run`;
    return `From ${now} to ${to}: ${what} at once. The completions do not change.`;
  }
  if (to > now) {
    return `From ${now} to ${to}: ${by} more ${replicas} will be admitted within the quota and placed.`;
  }
  const last = to === 0 ? " The service will have no replicas." : "";
  return `From ${now} to ${to}: ${by} ${replicas} will be stopped.${last}`;
}
