/** Commitment: a promise about the fleet, as a sentence. */
import { promiseText } from "../../manifest/promise-text.ts";
import { showKind } from "./show-kind.ts";

export const commitmentKind = showKind({
  kind: "Commitment",
  columns: [
    {
      name: "Promise",
      type: "string",
      description: "The promise as a sentence.",
      cell: ({ spec, meta }) => promiseText(spec, meta.namespace),
    },
  ],
});
