/**
 * `berth delete`: deletes objects by name or from files, and waits until they are gone if asked to.
 */
import type { Command } from "commander";
import { recordOf, type ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { locate, parseReference } from "../client/locate.ts";
import { listResources, type Located, objectPath, shownName } from "../client/resources.ts";
import { Refusal } from "../client/refusal.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { locateManifests } from "../manifests/locate-manifests.ts";
import { readManifests } from "../manifests/read-manifests.ts";
import { readTimeout, waitUntil } from "./wait.ts";

export interface DeleteOptions extends ServerOptions {
  readonly namespace?: string;
  readonly file?: readonly string[];
  readonly ignoreNotFound?: boolean;
  readonly wait?: boolean;
  readonly timeout?: string;
}

export function registerDelete(program: Command, terminal: Terminal): void {
  const command = program
    .command("delete [kind] [names...]")
    .description("delete objects by name or from files")
    .option("-f, --file <path...>", "files or directories of manifests, - for standard input")
    .option("-n, --namespace <tenant>", "tenant of the objects")
    .option("--ignore-not-found", "succeed if the objects do not exist")
    .option("--wait", "wait until the objects are gone")
    .option("--timeout <duration>", "maximum time to wait (default: 2m)");
  addServerOptions(command).action(
    (kind: string | undefined, names: readonly string[], options: DeleteOptions) =>
      deleteObjects(kind === undefined ? [] : [kind, ...names], options, terminal),
  );
}

export async function deleteObjects(
  words: readonly string[],
  options: DeleteOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const timeoutMs = readTimeout(options.timeout);
  const targets = await targetsOf(words, options, client);
  const uids = new Map<Located, string | undefined>();
  for (const target of targets) {
    try {
      const answer = await client.send<Partial<ShownObject>>("DELETE", objectPath(target));
      uids.set(target, answer.metadata?.uid);
      // Its workload still wants the index, unless the workload is being deleted itself.
      const isReplaced = recordOf(answer.status?.["stopping"])["reason"] === "deleted";
      const then = isReplaced ? "; another takes its index" : "";
      terminal.out(`${shownName(target)} deleted${then}\n`);
    } catch (error) {
      const isGone = error instanceof Refusal && error.status.code === 404;
      if (!isGone || options.ignoreNotFound !== true) throw error;
    }
  }
  if (options.wait !== true) return;
  for (const target of targets) {
    await waitUntil(client, target, {
      what: { kind: "deleted", uid: uids.get(target) },
      timeoutMs,
    });
  }
}

async function targetsOf(
  words: readonly string[],
  options: DeleteOptions,
  client: ReturnType<typeof connect>,
): Promise<readonly Located[]> {
  const { file: files, namespace } = options;
  if (files !== undefined) {
    if (words.length > 0) {
      throw new UserError("bad-usage", "Names and -f cannot be used together.");
    }
    const manifests = await readManifests(files);
    // What depends on others goes first: the reverse of how it was made.
    return locateManifests(manifests, await listResources(client), namespace)
      .map(({ target }) => target)
      .toReversed();
  }
  const [kind, ...names] = words;
  if (kind === undefined) throw new UserError("bad-usage", "Expected KIND NAME, or -f FILE.");
  if (names.length === 0) return [await locate(client, parseReference([kind], namespace))];
  const found = [];
  for (const name of names) {
    found.push(await locate(client, parseReference([kind, name], namespace)));
  }
  return found;
}
