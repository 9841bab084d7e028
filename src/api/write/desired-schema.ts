/**
 * The core's own form of what somebody wants, as remote controllers send it back when they lift a
 * finalizer.
 */
import { Type } from "typebox";
import { WRITTEN_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import { exactly, word } from "../http/wire-shapes.ts";
import { wireFields } from "./wire-fields.ts";

export const desiredSchema = Type.Union(
  WRITTEN_DEFINITIONS.map(({ kind, spec }) =>
    exactly({ kind: word(kind), spec: wireFields(spec.fields) }),
  ),
);
