/** How large a secret may be, and how many a tenant may have. */
import { type Limit, limitValues } from "./limit.ts";

const KIB = 1024;

export const SECRET_LIMITS = {
  secretKeys: {
    value: 64,
    unit: "count",
    of: "keys of a Secret",
    beyond: "422 `invalid-object`",
    why: "several times what a program reads; each is sealed and opened by itself",
  },
  secretValueBytes: {
    value: 16 * KIB,
    unit: "bytes",
    of: "one value of a Secret",
    beyond: "422 `invalid-object`",
    why: "a chain of certificates with its key; sealed and encoded it still is one text of a spec",
  },
  secretBytes: {
    value: 128 * KIB,
    unit: "bytes",
    of: "all values of a Secret",
    beyond: "422 `invalid-object`",
    why: "sealed and encoded it is less than a spec may be",
  },
  tenantSecrets: {
    value: 500,
    unit: "count",
    of: "Secrets of a tenant",
    beyond: "409 `tenant-full`",
    why: "several for each of a large tenant's services; all of them go in one commit with their tenant",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export const SECRET_MOST: Readonly<Record<keyof typeof SECRET_LIMITS, number>> =
  limitValues(SECRET_LIMITS);
