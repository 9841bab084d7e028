/** Every way the authority says no to what several planes tell each other. */
import type { RefusalEntry } from "./refusals.ts";

export const REGION_REFUSALS = {
  "plane-fixed": {
    rule: "RG1",
    kind: "refused",
    sentence: "The role and the region of a plane are immutable.",
  },
  "incarnation-passed": {
    rule: "RG1",
    kind: "conflict",
    sentence: "The plane already has this incarnation or a later one.",
  },
  "wrong-plane": {
    rule: "RG1",
    kind: "refused",
    sentence: "A plane of this role does not take this command.",
  },
  "owned-by-global": {
    rule: "RG2",
    kind: "refused",
    sentence: "The global plane owns the object; change it there.",
  },
  "region-has-plane": {
    rule: "RG3",
    kind: "refused",
    sentence: "The region is served by another plane, and its nodes belong to that one.",
  },
  "region-superseded": {
    rule: "RG4",
    kind: "refused",
    sentence: "This incarnation of the region's plane counts for nothing any more.",
  },
  "report-passed": {
    rule: "RG5",
    kind: "conflict",
    sentence: "The report is older than one that was taken in.",
  },
  "report-gap": {
    rule: "RG5",
    kind: "conflict",
    sentence: "The report leaves out changes that were never taken in.",
  },
  "grant-passed": {
    rule: "RG7",
    kind: "conflict",
    sentence: "The grant does not continue with this version.",
  },
  "grant-pending": {
    rule: "RG7",
    kind: "conflict",
    sentence: "The region has not reported any of the last versions of the grant.",
  },
  "region-learning": {
    rule: "RG8",
    kind: "conflict",
    sentence: "The region's plane has not stated yet what it holds.",
  },
  "lender-learning": {
    rule: "RG9",
    kind: "conflict",
    sentence: "A region has not confirmed this incarnation of the global plane yet.",
  },
  "lender-passed": {
    rule: "RG9",
    kind: "refused",
    sentence: "The region obeys a later incarnation of the global plane.",
  },
  "terms-not-for": {
    rule: "RG10",
    kind: "refused",
    sentence: "The terms are for another region, or for an earlier incarnation of it.",
  },
  "terms-passed": {
    rule: "RG10",
    kind: "conflict",
    sentence: "The terms answer a question that is too old.",
  },
  "term-over": {
    rule: "RG11",
    kind: "conflict",
    sentence: "The region may not take new work into its quota before the global plane answers.",
  },
  "term-not-over": {
    rule: "RG12",
    kind: "conflict",
    sentence: "The term of the region is not over.",
  },
  "still-learning": {
    rule: "RG13",
    kind: "conflict",
    sentence: "The region's plane does not know yet what its agents run.",
  },
} as const satisfies Record<string, RefusalEntry>;
