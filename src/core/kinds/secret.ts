/**
 * Secret: values that replicas are given and that no read shows. People write it in Kubernetes'
 * form. The API takes the values out of what they wrote and seals them before the core sees the
 * object (SE2); what is shown in their place has their sizes and nothing else (SE1).
 */
import { SECRET_MOST } from "../model/limits/secret-limits.ts";
import { tenantKey } from "../model/ids.ts";
import type { Seal, SealedValue, SecretSpec } from "../model/secret/secret.ts";
import { count, filled, flag, map, object, optional, patterned, text } from "./fields/field.ts";
import { SECRET_KEY } from "./fields/secret-fields.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";
import { writtenAs } from "./written-form.ts";

/** As people write it, and as it is shown. */
export interface WrittenSecret {
  readonly type: string;
  readonly immutable?: boolean;
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
  /** Taken out before the object is read: no object that is stored or shown has it. */
  readonly stringData?: Readonly<Record<string, string>>;
}

const BASE64 = "^[A-Za-z0-9+/]*={0,2}$";
const sealed = (about: string, most: number) =>
  patterned(about, { most, pattern: BASE64, expected: "base64" });
const hex = (about: string, letters: number) =>
  patterned(about, {
    most: letters,
    pattern: `^[0-9a-f]{${letters}}$`,
    expected: `${letters} hexadecimal digits`,
  });

const type = filled(
  patterned("What the secret is for, such as Opaque or kubernetes.io/tls. Berth only keeps it.", {
    most: 253,
    pattern: "^[!-~]+$",
    expected: "a word such as Opaque",
  }),
  "Opaque",
);
const immutable = optional(flag("Its values never change again; only deleting it is possible."));
const values = (about: string) => map(about, text("The value."), { ...MAP });
const MAP = { most: SECRET_MOST.secretKeys, keys: SECRET_KEY } as const;

export const secretDefinition: WrittenDefinition<"Secret"> = {
  kind: "Secret",
  plural: "secrets",
  shortNames: [],
  scope: "tenant",
  kubernetesGroup: "",
  writer: "people",
  deletedBy: "user",
  applyStep: 80,
  about: "Values that replicas are given, such as passwords and keys. No read shows them.",
  references: (_, namespace) => [{ key: tenantKey(namespace), mustStay: true }],
  spec: {
    about: "The values by their keys. Reads show zero bytes of the same length in their place.",
    isOptional: true,
    fields: {
      type,
      immutable,
      seal: optional(
        object<Seal>("What its values are sealed with.", {
          id: hex("Stands for the object in each seal.", 32),
          keyId: patterned("The operator's key.", {
            most: 17,
            pattern: "^k[0-9a-f]{16}$",
            expected: "the id of a key",
          }),
          dataKey: sealed("The key of the values, sealed.", 128),
        }),
      ),
      values: map(
        "The sealed values.",
        object<SealedValue>("A sealed value.", {
          box: sealed("The sealed value.", 2 * SECRET_MOST.secretValueBytes),
          digest: hex("Changes with the value.", 32),
          bytes: count("The length of the value.", {
            least: 0,
            most: SECRET_MOST.secretValueBytes,
          }),
        }),
        MAP,
      ),
    },
    written: writtenAs<SecretSpec, WrittenSecret>({
      fields: {
        type,
        immutable,
        data: optional(values("Values in base64.")),
        stringData: optional(values("Values as text; a key that is in both has this value.")),
      },
      // The values come from the sealing.
      read: ({ type: written, immutable: fixed }) => ({
        type: written,
        ...(fixed === undefined ? {} : { immutable: fixed }),
        values: {},
      }),
      write: writeSecret,
    }),
    example: {
      name: "database",
      namespace: "payments",
      spec: { type: "Opaque", stringData: { user: "risk-api", password: "correct horse" } },
    },
    rules: [sealedWithNothing],
  },
};

function writeSecret({ type: kept, immutable: fixed, values: boxes }: SecretSpec): WrittenSecret {
  const sizes = Object.entries(boxes).map(([key, { bytes }]) => [key, zeroBytes(bytes)] as const);
  return {
    type: kept,
    ...(fixed === undefined ? {} : { immutable: fixed }),
    ...(sizes.length === 0 ? {} : { data: Object.fromEntries(sizes) }),
  };
}

/** In base64: what is shown in place of a value of this length. */
export function zeroBytes(bytes: number): string {
  const rest = bytes % 3;
  const end = rest === 0 ? "" : rest === 1 ? "AA==" : "AAA=";
  return "AAAA".repeat((bytes - rest) / 3) + end;
}

function sealedWithNothing({ seal, values: boxes }: SecretSpec): BrokenRule | undefined {
  if (seal !== undefined || Object.keys(boxes).length === 0) return undefined;
  return { field: "seal", found: "(none)", expected: "the seal of the values" };
}
