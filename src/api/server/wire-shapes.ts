/** The few shapes that Berth's own requests are made of. */
import { type TProperties, type TSchema, Type } from "typebox";

/** Long enough for any name there is; keys and operation ids are made of several. */
const TEXT_MAX = 512;

export const text = Type.String({ maxLength: TEXT_MAX });
/** Beyond this, numbers are no longer exact. */
export const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const word = (value: string) => Type.Literal(value);
export const oneOf = (values: readonly string[]) =>
  Type.Unsafe<string>({ type: "string", enum: values });
export const list = (of: TSchema) => Type.Array(of, { maxItems: 100_000 });
export const textMap = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  additionalProperties: { type: "string" },
});

/** An object with these fields and no others. */
export const exactly = (properties: TProperties) =>
  Type.Object(properties, { additionalProperties: false });
