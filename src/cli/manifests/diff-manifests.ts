/**
 * `berth diff -f`: what an apply of files would change. The plane tries the apply out and says what
 * each object would be; nothing is changed. A shell reads the outcome as that of `kubectl diff`.
 */
import { contentOf, type ShownObject } from "../../steering/api-object.ts";
import { describeUserError, UserError, USER_ERROR_EXIT } from "../../shell/errors.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { listResources, shownName } from "../client/resources.ts";
import type { ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { differenceLines } from "../text/difference-text.ts";
import { APPLIED_BY, type Compared, compareOne, tryOut } from "./apply-manifests.ts";
import { type LocatedManifest, locateManifests } from "./locate-manifests.ts";
import { readManifests } from "./read-manifests.ts";

export interface FileDiffOptions extends ServerOptions {
  readonly namespace?: string;
  readonly output?: "text" | "json";
  readonly force?: boolean;
}

/** The exit code that says that something differs; an error of any kind is more than it. */
const DIFFERS = 1;

export async function diffManifests(
  files: readonly string[],
  options: FileDiffOptions,
  terminal: Terminal,
): Promise<void> {
  try {
    const compared = await compareFiles(files, options);
    const changed = compared.filter(({ change }) => change !== "unchanged");
    terminal.out(
      options.output === "json"
        ? `${JSON.stringify({ items: changed.map(itemOf) }, undefined, 2)}\n`
        : changed.map(changeText).join(""),
    );
    if (changed.length > 0) terminal.exitCode = DIFFERS;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.err(`${describeUserError(error)}\n`);
    terminal.exitCode = USER_ERROR_EXIT;
  }
}

type ComparedFile = LocatedManifest & Compared;

async function compareFiles(
  files: readonly string[],
  options: FileDiffOptions,
): Promise<readonly ComparedFile[]> {
  const manifests = await readManifests(files);
  const client: ApiClient = connect(options);
  const all = locateManifests(manifests, await listResources(client), options.namespace);
  const of = { fieldManager: APPLIED_BY, force: options.force === true };
  await tryOut(client, all, of);
  const compared: ComparedFile[] = [];
  for (const each of all) compared.push({ ...each, ...(await compareOne(client, each, of)) });
  return compared;
}

const itemOf = ({ target, change, before, after }: ComparedFile): unknown => ({
  kind: target.resource.kind,
  ...(target.namespace === "" ? {} : { namespace: target.namespace }),
  name: target.name,
  change,
  before,
  after,
});

function changeText({ target, before, after }: ComparedFile): string {
  const head = `${before === undefined ? "+" : "~"} ${shownName(target)}`;
  const lines = differenceLines({ before: written(before), after: written(after) });
  return `${[head, ...lines].join("\n")}\n`;
}

/** Only what people write: times and a status that changes by itself are no difference. */
function written(object: ShownObject | undefined): ShownObject | undefined {
  if (object === undefined) return undefined;
  const { name, labels, annotations, finalizers, ownerReferences } = object.metadata;
  const own = { labels, annotations, finalizers, ownerReferences };
  return { metadata: { name, ...own } as ShownObject["metadata"], ...contentOf(object) };
}
