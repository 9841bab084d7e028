/** Etcd's errors in the words of the log: what was attempted, what was found, what to do. */
import { EtcdAlarm, EtcdUnavailable, EtcdUnknown } from "../../etcd/etcd-api.ts";
import { LogDamaged, LogOfOtherFormat, LogUnavailable } from "../log-store.ts";

/** The error to show instead of etcd's own; whatever is not etcd's stays as it is. */
export function explainEtcd(error: unknown, attempt: string): unknown {
  if (!(error instanceof Error)) return error;
  const because = { cause: error };
  // Etcd's own words for an alarm say what the operator has to do.
  const advice =
    error instanceof EtcdAlarm
      ? ""
      : " Check that a majority of etcd's members run and are reachable.";
  if (error instanceof EtcdUnavailable) {
    return new LogUnavailable(
      `Cannot ${attempt}: nothing was written, and all acknowledged commits are safe.${advice} ${error.message}`,
      because,
    );
  }
  if (error instanceof EtcdUnknown) {
    return new LogUnavailable(
      `Cannot ${attempt}: the answer was lost, and the plane must retry.${advice} ${error.message}`,
      because,
    );
  }
  return error;
}

export async function explaining<T>(attempt: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainEtcd(error, attempt);
  }
}

export function damaged(key: string, found: string, because?: ErrorOptions): LogDamaged {
  return new LogDamaged(
    `Cannot load the log from etcd: at the key ${key} ${found}. Nothing was loaded. Stop every plane, restore the newest backup under another prefix ("berth restore"), and start the planes there.`,
    because,
  );
}

export const unreadFormat = (key: string, why: string): LogOfOtherFormat =>
  new LogOfOtherFormat(`Cannot load the log from etcd: at the key ${key} ${why}.`);
