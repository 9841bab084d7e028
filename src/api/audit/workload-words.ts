/** What became of a workload, in words about its actor. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Workload } from "../../core/model/objects.ts";
import { happeningsOf } from "../events/happenings-of.ts";
import { shortName } from "./short-name.ts";

/** Undefined when nothing about it is peculiar to workloads. */
export function workloadWords(
  before: Workload,
  after: Workload,
  commit: Commit,
): string | undefined {
  const name = shortName(after.key);
  const wishes = [...wishWords(before, after, name)];
  if (wishes.length > 0) return wishes.join("; ");
  if (before.meta.generation !== after.meta.generation) return undefined;
  const told = happeningsOf({ ...commit, changes: [{ key: after.key, before, after }] });
  if (told.length === 0) return undefined;
  return `wrote the status of workload ${name}: ${told.map(({ message }) => message).join(" ")}`;
}

function* wishWords(before: Workload, after: Workload, name: string): Iterable<string> {
  const { replicas } = before.spec;
  if (replicas !== after.spec.replicas) {
    yield `scaled ${name} from ${replicas} to ${after.spec.replicas}`;
  }
  if (before.status.templateGeneration !== after.status.templateGeneration) {
    yield `changed the template of ${name} (generation ${after.meta.generation})`;
  }
}
