/** Which workload is meant: only workloads roll out, so a bare name will do. */
import { parseReference, type Reference } from "../client/locate.ts";

export function workloadNamed(words: readonly string[], namespace: string | undefined): Reference {
  const [only = "", ...rest] = words;
  const isBareName = rest.length === 0 && !only.includes("/");
  return parseReference(isBareName ? ["workload", only] : words, namespace);
}
