/** Slo: an objective for the control plane itself. */
import { fieldsOf } from "../../core/kinds/kind-definitions.ts";
import { writeFields } from "../../manifest/write-fields.ts";
import { showKind } from "./show-kind.ts";
import {
  burnText,
  percentText,
  readingOf,
  sloStatus,
  writeSloStatus,
} from "./status/slo-status.ts";

export const sloKind = showKind({
  kind: "Slo",
  status: sloStatus,
  showStatus: (slo, objects) => writeSloStatus(readingOf(slo, objects)),
  columns: [
    {
      name: "Indicator",
      type: "string",
      description: "The measurement.",
      cell: (slo) => slo.spec.indicator,
    },
    {
      name: "Objective",
      type: "string",
      description: "The objective and the threshold.",
      cell: ({ spec }) => {
        const { objective, threshold } = writeFields(fieldsOf("Slo"), spec, "manifest");
        return `${objective as string} within ${threshold as string}`;
      },
    },
    {
      name: "Now",
      type: "string",
      description: "The share of good samples in the window.",
      cell: (slo, objects) => {
        const reading = readingOf(slo, objects);
        return reading === undefined ? "unmeasured" : percentText(reading.good);
      },
    },
    {
      name: "Budget",
      type: "string",
      description: "The remaining error budget.",
      cell: (slo, objects) => percentText(readingOf(slo, objects)?.budgetLeft ?? 1),
    },
    {
      name: "Burn",
      type: "string",
      description: "The burn rate over five minutes and over an hour.",
      cell: (slo, objects) => {
        const { burn5m = 0, burn1h = 0 } = readingOf(slo, objects) ?? {};
        return `${burnText(burn5m)}/${burnText(burn1h)}`;
      },
    },
    {
      name: "Samples",
      type: "integer",
      description: "The number of samples in the window.",
      isWide: true,
      cell: (slo, objects) => readingOf(slo, objects)?.measured ?? 0,
    },
  ],
});
