/**
 * What objects may be called. Names become parts of keys, of operation ids and of paths, which are
 * joined with slashes. Roles have Kubernetes' longer words, such as `system:node`.
 */
import type { CommonDefinition } from "./kind-definition.ts";

export interface NameForm {
  readonly pattern: string;
  readonly expected: string;
}

const OWN: NameForm = {
  pattern: "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$",
  expected: "lower-case letters, digits, '-' and '.'",
};
export const PATH_NAME: NameForm = {
  pattern: "^[A-Za-z0-9]([-A-Za-z0-9.:_@]*[A-Za-z0-9])?$",
  expected: "letters, digits, '-', '.', ':', '_' and '@'",
};

export const nameFormOf = ({ hasPathNames }: Pick<CommonDefinition, "hasPathNames">): NameForm =>
  hasPathNames === true ? PATH_NAME : OWN;
