/** A record of the log, as a watch would show it: the objects it wrote and the keys it removed. */
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { type ObjectKey, operationId } from "../../src/core/model/ids.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";

export type CommitParts = Partial<Omit<Commit, "changes" | "revision">> & {
  readonly revision: number;
  readonly put?: readonly AnyObject[];
  readonly gone?: readonly (AnyObject | ObjectKey)[];
};

export function aCommit({ put = [], gone = [], ...of }: CommitParts): Commit {
  return {
    epoch: 1,
    atMs: 0,
    operation: operationId(`operation-${of.revision}`),
    actor: { role: "user", name: "tester" },
    command: "put",
    basis: of.revision - 1,
    evidence: undefined,
    changes: [
      ...put.map((after) => ({ key: after.key, before: undefined, after })),
      ...gone.map((object) =>
        typeof object === "string"
          ? { key: object, before: undefined, after: undefined }
          : { key: object.key, before: object, after: undefined },
      ),
    ],
    ...of,
  };
}
