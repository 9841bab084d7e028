/**
 * From what a person types (`workload risk-api`, `workload/risk-api`, `wl/payments/risk-api`) to
 * one object. A name that only one tenant uses needs no tenant in front of it.
 */
import { ownCommand } from "../text/own-command.ts";
import { UserError } from "../../shell/errors.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import type { ApiClient } from "./api-client.ts";
import type { ShownList, ShownObject } from "../../steering/api-object.ts";
import {
  collectionPath,
  findResource,
  listResources,
  type Located,
  type Resource,
} from "./resources.ts";

export interface Reference {
  readonly kind: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** `words` is the kind and perhaps the name, joined by a slash or not. */
export function parseReference(words: readonly string[], namespace: string | undefined): Reference {
  const [first = "", ...rest] = words;
  const [kind = "", ...inFirst] = first.split("/");
  const parts = [...inFirst, ...rest.flatMap((word) => word.split("/"))].filter(
    (part) => part !== "",
  );
  if (parts.length > 2) {
    throw new UserError(
      "bad-usage",
      `Found "${words.join(" ")}", expected KIND NAME, KIND/NAME or KIND/TENANT/NAME.`,
    );
  }
  const name = parts.at(-1);
  const owner = parts.length === 2 ? parts[0] : undefined;
  if (owner !== undefined && namespace !== undefined && owner !== namespace) {
    throw new UserError("bad-usage", `Found both tenant ${owner} and -n ${namespace}; use one.`);
  }
  return { kind, name, namespace: owner ?? namespace };
}

export async function locate(client: ApiClient, reference: Reference): Promise<Located> {
  const resource = findResource(await listResources(client), reference.kind);
  return locateIn(client, resource, reference);
}

export async function locateIn(
  client: ApiClient,
  resource: Resource,
  { name, namespace }: Reference,
): Promise<Located> {
  if (name === undefined) {
    throw new UserError("bad-usage", `Expected a name, as in ${resource.singular}/NAME.`);
  }
  if (!resource.isNamespaced) return { resource, namespace: "", name };
  if (namespace !== undefined) return { resource, namespace, name };
  const found = await named(client, resource, name);
  const [only, ...others] = found;
  if (only === undefined) throw await nothingNamed(client, resource, name);
  const owner = only.metadata.namespace ?? "";
  if (others.length === 0) return { resource, namespace: owner, name };
  const owners = found.map(({ metadata }) => metadata.namespace ?? "").join(", ");
  throw new UserError(
    "ambiguous-name",
    `Tenants ${owners} each have a ${resource.singular} "${name}". Choose one with -n ${owner}.`,
  );
}

async function named(
  client: ApiClient,
  resource: Resource,
  name: string,
): Promise<readonly ShownObject[]> {
  const query = { fieldSelector: `metadata.name=${name.replaceAll(/[\\,=]/g, "\\$&")}` };
  const { items } = await client.get<ShownList>(collectionPath(resource, undefined), { query });
  return items;
}

async function nothingNamed(
  client: ApiClient,
  resource: Resource,
  name: string,
): Promise<UserError> {
  const { items } = await client.get<ShownList>(collectionPath(resource, undefined));
  const hint = didYouMean(
    name,
    items.map(({ metadata }) => metadata.name),
  );
  return new UserError(
    "not-found",
    `No tenant has a ${resource.singular} "${name}".${hint} \`${ownCommand()} get ${resource.plural}\` lists the existing ones.`,
  );
}
