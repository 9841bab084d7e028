/** The types that users of the client library name. */
export type { Explained, Explanation } from "../api/explain/explanation.ts";
export type { StatusCause, StatusDetails } from "./berth-error.ts";
export type {
  Applied,
  ApplyOptions,
  KindClient,
  List,
  ListOptions,
  Part,
  Selection,
  StatusOptions,
  Where,
  WriteOptions,
  Written,
} from "./kind-client.ts";
export type { KindObject, Metadata, OwnerReference } from "./kind-object.ts";
export type { KindName, Kinds } from "./kinds/all-kinds.ts";
export type { ConnectOptions } from "./transport.ts";
export type { WatchEvent, WatchOptions } from "./watch-kind.ts";
