/**
 * The shape of what the global plane answers. An address may be of any server, and the link relies
 * on the shape; what the terms say is checked by the region's authority.
 */
import { Ajv, type ValidateFunction } from "ajv";
import type { ExchangeAnswer } from "../../core/regional/region-link.ts";

const whole = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;

/** A later build may say more, so other fields are let through. */
const having = (properties: Readonly<Record<string, object>>, optional = {}) => ({
  type: "object",
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});
const listOf = (items: object) => ({ type: "array", items });

const ANSWER = {
  oneOf: [
    having({
      kind: { const: "terms" },
      terms: having(
        {
          global: whole,
          region: text,
          incarnation: whole,
          heard: having({ epoch: whole, revision: whole }),
          asked: having({ epoch: whole, ms: whole }),
          termMs: whole,
          grants: listOf(
            having({
              tenant: text,
              version: whole,
              amounts: having({ cpuMillis: whole, memoryMiB: whole, deviceMillis: whole }),
              quota: having({}),
            }),
          ),
          objects: listOf(
            having({
              key: text,
              desired: having({ kind: text, spec: having({}) }),
              labels: having({}),
            }),
          ),
          objectsFrom: whole,
          objectsTo: whole,
        },
        { names: listOf(text) },
      ),
    }),
    having({ kind: { const: "rejected" }, code: text }),
  ],
};

let compiled: ValidateFunction<ExchangeAnswer> | undefined;

/** Undefined: no global plane says that. */
export function readAnswer(json: string): ExchangeAnswer | undefined {
  compiled ??= new Ajv({ strict: false }).compile<ExchangeAnswer>(ANSWER);
  try {
    const value: unknown = JSON.parse(json);
    return compiled(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
