/**
 * Runs a plane with its log, its recording and its API, until it is told to stop. It leaves a note in its
 * folder, so that every other command finds it.
 */
import { join } from "node:path";
import { createControllers } from "../../host/controllers.ts";
import { createHostClock } from "../../host/host-clock.ts";
import { Plane } from "../../host/plane.ts";
import { Recorder } from "../../host/recording/recorder.ts";
import { DEFAULT_LISTEN } from "../client/find-server.ts";
import { removePlaneNote, writePlaneNote } from "../client/plane-file.ts";
import { dataFolder } from "../client/server-options.ts";
import { deferred } from "../deferred.ts";
import { UserError } from "../errors.ts";
import { createLog } from "../line-log.ts";
import type { Terminal } from "../main.ts";
import type { PlaneCommandOptions } from "../plane.ts";
import { readInput } from "../read-input.ts";
import { readWholeNumber } from "../simulation-plan.ts";
import { VERSION } from "../version.ts";
import { checkGuarded, parseListen } from "./listen-address.ts";
import { explainingLog, openStore } from "./open-store.ts";
import { type ServedApi, serveApi } from "./serve-api.ts";
import { parseTokens } from "./token-file.ts";

/** More than this only get in each other's way: they share one view of the same nodes. */
const MOST_SCHEDULERS = 16;

export async function runPlane(
  options: PlaneCommandOptions,
  terminal: Terminal,
  stopped: Promise<string>,
): Promise<void> {
  const address = parseListen(options.listen ?? DEFAULT_LISTEN);
  const tls = readCertificate(options);
  const { tokenFile } = options;
  const auth =
    tokenFile === undefined ? undefined : { tokens: parseTokens(readInput(tokenFile), tokenFile) };
  checkGuarded(address, { hasCertificate: tls !== undefined, hasTokens: auth !== undefined });
  const schedulers = readSchedulers(options.schedulers);
  const folder = dataFolder(options);
  const log = createLog(options.logLevel ?? "info");
  const clock = createHostClock();
  const kind = options.store ?? "sqlite";
  const store = await openStore({ kind, folder, onNote: (sentence) => log.warn(sentence) });
  const recorder = openRecorder(options, folder);
  const replaced = deferred<"resigned">();
  const plane = await explainingLog(() =>
    Plane.open({
      store,
      clock,
      createControllers: () => createControllers({ schedulers }),
      ...(recorder === undefined ? {} : { recorder }),
      onTrouble: (message) => log.error(message),
      onResigned: () => replaced.resolve("resigned"),
    }),
  ).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  let api: ServedApi | undefined;
  try {
    api = await serveApi({ plane, clock, log, address, auth, tls });
    const { url } = api;
    writePlaneNote(folder, { url, pid: process.pid });
    terminal.out(
      `Plane at ${url}, log in ${kind === "sqlite" ? join(folder, "log.db") : "memory"}.\n`,
    );
    log.info({ url, epoch: plane.epoch, revision: plane.revision }, "The plane leads.");
    const why = await Promise.race([stopped, replaced.promise]);
    if (why === "resigned") {
      log.error("Another plane has taken the log: this one stops.");
      terminal.exitCode = 1;
    } else log.info(`Stopping after ${why}.`);
  } finally {
    removePlaneNote(folder, process.pid);
    await api?.close();
    await plane.close();
  }
}

function openRecorder({ record }: PlaneCommandOptions, data: string): Recorder | undefined {
  if (record === false) return undefined;
  const folder = typeof record === "string" ? record : join(data, "recording");
  try {
    return new Recorder({ folder, version: VERSION });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file: folder });
  }
}

function readCertificate({ tlsCert, tlsKey }: PlaneCommandOptions) {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UserError("bad-usage", "--tls-cert and --tls-key come together; give both.");
  }
  return { cert: readInput(tlsCert), key: readInput(tlsKey) };
}

function readSchedulers(text: string | undefined): number {
  const schedulers = text === undefined ? 1 : readWholeNumber("--schedulers", text);
  if (schedulers >= 1 && schedulers <= MOST_SCHEDULERS) return schedulers;
  throw new UserError(
    "bad-usage",
    `--schedulers: found ${schedulers}, expected 1 to ${MOST_SCHEDULERS}.`,
  );
}
