/**
 * A tenant's quota as it stands in a file: `{ cpu: 8, memory: 16Gi, group: retail, borrow: { cpu:
 * 2, memory: 4Gi } }`. The limit stands there by itself, because most quotas are nothing else.
 */
import type { Fields as KindFields } from "../core/kinds/fields/field.ts";
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import type { Amounts } from "../core/model/amounts.ts";
import type { QuotaSpec } from "../core/model/objects.ts";
import { writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { QuotaSharing } from "../sim/world/world.ts";
import type { Cursor, Fields } from "./cursor.ts";
import type { References } from "./references.ts";
import { readSpec } from "./written-cursor.ts";

const { limit, ...SHARING } = fieldsOf("Quota");
const FIELDS = { limit: { ...limit, isInline: true }, ...SHARING } as KindFields;

const SHARING_NAMES = writtenNames(SHARING);

export interface QuotaTerms {
  readonly quota: Amounts;
  /** Left out when the file says nothing beyond the limit. */
  readonly sharing?: QuotaSharing;
}

export const QUOTA_NAMES = writtenNames(FIELDS);

export const readQuotaTerms = (value: Cursor, references: References): QuotaTerms =>
  readQuotaFields(value.fields(QUOTA_NAMES), references);

/** Of a quota whose fields stand among others. */
export function readQuotaFields(fields: Fields, references: References): QuotaTerms {
  const spec = readSpec("Quota", fields, references, { fields: FIELDS }) as QuotaSpec;
  const { limit: quota, ...sharing } = spec;
  return { quota, ...(SHARING_NAMES.some((name) => fields.has(name)) ? { sharing } : {}) };
}

export const plainQuotaTerms = ({ quota, sharing = {} }: QuotaTerms): PlainFields =>
  writeFields(FIELDS, { limit: quota, ...sharing }, "world");
