/**
 * A bound as data: the number that the code uses, and the words that `docs/limits.md` is generated
 * from. Each room keeps its bounds in one table of these, so that a number stands once and no bound
 * is missing from the page.
 */
export type LimitUnit = "bytes" | "ms" | "count" | "per second";

export interface Limit {
  readonly value: number;
  readonly unit: LimitUnit;
  /** What is bounded, as a noun: "a request body". */
  readonly of: string;
  /** What happens to a caller that exceeds it: "413 `body-too-large`". */
  readonly beyond: string;
  /** Why the number is what it is. */
  readonly why: string;
}

export type LimitTable = Readonly<Record<string, Limit>>;

/** The numbers of a table alone, for code that takes them as settings. */
export const limitValues = <Name extends string>(
  table: Readonly<Record<Name, Limit>>,
): Readonly<Record<Name, number>> =>
  Object.fromEntries(
    Object.entries<Limit>(table).map(([name, { value }]) => [name, value]),
  ) as Record<Name, number>;
