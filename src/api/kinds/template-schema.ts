/** A template as clients see it, in a workload, in its replicas and in its history. */
import { WRITTEN_TEMPLATE, writeTemplate } from "../../core/kinds/fields/template-fields.ts";
import type { Template } from "../../core/model/objects.ts";
import { type PlainFields, writeFields } from "../../manifest/write-fields.ts";
import { propertiesOf } from "../schema/fields-schema.ts";

export const templateFields = propertiesOf(WRITTEN_TEMPLATE);

export const showTemplate = (template: Template): PlainFields =>
  writeFields(WRITTEN_TEMPLATE, writeTemplate(template), "manifest");
