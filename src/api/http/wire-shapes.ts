/**
 * The few shapes that Berth's own requests are made of. All are bounded: what is longer need not be
 * read to the end.
 */
import { type TProperties, type TSchema, Type } from "typebox";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { COMMAND } from "./command-limits.ts";

export const text = Type.String({ maxLength: COMMAND.nameBytes });
/** What people and programs write at length. */
export const longText = Type.String({ maxLength: OBJECT_MOST.textBytes });
/** Beyond this, numbers are no longer exact. */
export const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const word = (value: string) => Type.Literal(value);
export const oneOf = (values: readonly string[]) =>
  Type.Unsafe<string>({ type: "string", enum: values });
export const list = (of: TSchema, most: number = OBJECT_MOST.listEntries) =>
  Type.Array(of, { maxItems: most });
/** The replicas of a node, in a word of its agent. */
export const replicas = (of: TSchema) => list(of, COMMAND.replicas);
export const textMap = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  maxProperties: OBJECT_MOST.mapEntries,
  additionalProperties: { type: "string", maxLength: OBJECT_MOST.textBytes },
});
export const annotationMap = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  maxProperties: OBJECT_MOST.annotations,
  additionalProperties: { type: "string", maxLength: OBJECT_MOST.annotationsBytes },
});

/** An object with these fields and no others. */
export const exactly = (properties: TProperties) =>
  Type.Object(properties, { additionalProperties: false });
