/**
 * Where the spec of an object stands. Berth's kinds have it under `spec`; those that Kubernetes'
 * clients know in another form have its fields beside `metadata`.
 */
import type { ApiKind } from "./api-kind.ts";

type Place = Pick<ApiKind, "isFlat">;
type Fields = Readonly<Record<string, unknown>>;

/** What the server knows of an object without its kind, and what it alone writes. */
const APART: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

/** What people write of an object besides its metadata, wherever it stands. */
export const contentOf = (object: unknown): Fields =>
  typeof object === "object" && object !== null
    ? Object.fromEntries(Object.entries(object).filter(([name]) => !APART.has(name)))
    : {};

export const specIn = ({ isFlat }: Place, object: Fields): unknown =>
  isFlat ? contentOf(object) : object["spec"];

/** The fields of an object that hold this spec. */
export function withSpec({ isFlat }: Place, spec: unknown): Fields {
  if (spec === undefined) return {};
  return isFlat ? (spec as Fields) : { spec };
}

/** What the path of each of its fields begins with. */
export const specPath = ({ isFlat }: Place): string => (isFlat ? "" : "spec");
