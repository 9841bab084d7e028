/**
 * A broken invariant stops the process: a wrong authority must not go on. Stays on in production.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantBroken(message);
}

export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

export function unreachable(value: never): never {
  throw new InvariantBroken(`Reached a case that does not exist: ${JSON.stringify(value)}.`);
}
