/** What a probe found. */
export interface ProbeAnswer {
  readonly ready: boolean;
  /** What was asked and what came back, for people: it is kept as evidence. */
  readonly said: string;
}

export const lateText = (timeoutMs: number): string => `did not answer within ${timeoutMs} ms`;
