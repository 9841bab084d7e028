/** A template as clients see it, in a workload, in its replicas and in its history. */
import { WRITTEN_TEMPLATE, writeTemplate } from "../../core/kinds/fields/template-fields.ts";
import type { Template } from "../../core/model/objects.ts";
import { RecentResults } from "../../manifest/recent-results.ts";
import { type PlainFields, writeFields } from "../../manifest/write-fields.ts";
import { propertiesOf } from "../schema/fields-schema.ts";

export const templateFields = propertiesOf(WRITTEN_TEMPLATE);

/** As many workloads as a busy plane creates and binds within a second. */
const TEMPLATES_KEPT = 1_024;

const shown = new RecentResults<Template, Readonly<PlainFields>>(
  (template) => writeFields(WRITTEN_TEMPLATE, writeTemplate(template), "manifest"),
  TEMPLATES_KEPT,
);

/** A replica is shown whenever its stage changes, and its template never does. */
export const showTemplate = (template: Template): Readonly<PlainFields> => shown.of(template);
