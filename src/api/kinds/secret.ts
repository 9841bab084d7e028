/** Secret: its keys and their sizes; no read has a value. */
import { showKind } from "./show-kind.ts";

export const secretKind = showKind({
  kind: "Secret",
  columns: [
    {
      name: "Type",
      type: "string",
      description: "What the secret is for.",
      cell: ({ spec }) => spec.type,
    },
    {
      name: "Data",
      type: "integer",
      description: "The number of keys.",
      cell: ({ spec }) => Object.keys(spec.values).length,
    },
    {
      name: "Keys",
      type: "string",
      description: "The keys, with their sizes in bytes.",
      isWide: true,
      cell: ({ spec }) =>
        Object.entries(spec.values)
          .map(([name, { bytes }]) => `${name}(${bytes})`)
          .toSorted()
          .join(","),
    },
  ],
  selectableFields: { type: ({ spec }) => spec.type },
});
