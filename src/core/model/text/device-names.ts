/**
 * Devices that somebody only counted get names: the class and a number that goes on through all
 * pools of the class, because ids are distinct on the whole node. Two pools of two GPUs are gpu-0,
 * gpu-1 and gpu-2, gpu-3.
 */
import type { DevicePool } from "../objects.ts";

export interface CountedPool {
  readonly class: string;
  readonly count: number;
}

/** The usual names of a pool that comes after the given ones. */
export function deviceNames(
  { class: deviceClass, count }: CountedPool,
  before: readonly Pick<DevicePool, "class" | "ids">[],
): readonly string[] {
  let from = 0;
  for (const pool of before) if (pool.class === deviceClass) from += pool.ids.length;
  return Array.from({ length: count }, (_, at) => `${deviceClass}-${from + at}`);
}

/** Whether a count says the same as the pool's ids. */
export function hasUsualNames(
  pool: Pick<DevicePool, "class" | "ids">,
  before: readonly Pick<DevicePool, "class" | "ids">[],
): boolean {
  const named = deviceNames({ class: pool.class, count: pool.ids.length }, before);
  return named.length > 0 && named.every((id, at) => id === pool.ids[at]);
}
