/** Commitment: a promise about the fleet, as a sentence, and how it stands. */
import { promiseText } from "../../manifest/promise-text.ts";
import { showKind } from "./show-kind.ts";
import { commitmentStatus, standingOf, writeCommitmentStatus } from "./status/commitment-status.ts";

export const commitmentKind = showKind({
  kind: "Commitment",
  status: commitmentStatus,
  showStatus: (commitment, objects) => writeCommitmentStatus(standingOf(commitment, objects)),
  columns: [
    {
      name: "Promise",
      type: "string",
      description: "The promise as a sentence.",
      cell: ({ spec, meta }) => promiseText(spec, meta.namespace),
    },
    {
      name: "Verdict",
      type: "string",
      description: "holds, breached or not-shown; checked again while the fleet changes.",
      cell: (commitment, objects) => standingOf(commitment, objects)?.verdict ?? "unchecked",
    },
    {
      name: "Since",
      type: "date",
      description: "When the verdict became this one; unchecked, when the object was created.",
      cell: (commitment, objects) =>
        standingOf(commitment, objects)?.sinceMs ?? commitment.meta.createdMs,
    },
    {
      name: "Reason",
      type: "string",
      description: "The cause of the verdict.",
      cell: (commitment, objects) => standingOf(commitment, objects)?.reason ?? "",
    },
  ],
});
