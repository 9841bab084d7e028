/** Short words for tests that speak to an etcd. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RangeAnswer, TxnOperation } from "../../src/host/etcd/etcd-api.ts";

export const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

export const put = (
  key: string,
  value: string,
): Extract<TxnOperation, { readonly kind: "put" }> => ({
  kind: "put",
  key: bytes(key),
  value: bytes(value),
});

/** As `key=value`. */
export const texts = ({ kvs }: RangeAnswer): readonly string[] =>
  kvs.map(({ key, value }) => `${Buffer.from(key).toString()}=${Buffer.from(value).toString()}`);

/** Ends when it is so; the test's own time limit ends it otherwise. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}
