/**
 * Runs a plane with its log, its recording and its API, until it is told to stop. It leaves a note
 * in its folder, so that every other command finds it.
 */
import { LEADER_MESSAGE } from "../../serve/leader-message.ts";
import type { Server } from "node:net";
import { join } from "node:path";
import { CannotRunError } from "../../shell/cannot-run-error.ts";
import { closedText, closeToOthers, RECORDED } from "../../shell/close-to-others.ts";
import { lockFolder } from "../../shell/folder-lock.ts";
import { compileChecks } from "../../api/http/compile-checks.ts";
import { createControllers } from "../../host/controllers.ts";
import { createHostClock } from "../../host/host-clock.ts";
import { Plane } from "../../host/plane.ts";
import type { PlaneOptions } from "../../host/plane-options.ts";
import { unknownSeals } from "../../host/seal/unknown-seals.ts";
import { Recorder } from "../../host/recording/recorder.ts";
import type { ChainHead } from "../../host/store/chain-link.ts";
import type { LogStore } from "../../host/store/log-store.ts";
import { isSharedLog } from "../../host/store/shared-log.ts";
import { removePlaneNote, writePlaneNote } from "../client/plane-file.ts";
import { dashboardLine } from "../client/dashboard-line.ts";
import { deferred } from "../deferred.ts";
import { UserError } from "../../shell/errors.ts";
import { createLog, type LineLog } from "../line-log.ts";
import type { Terminal } from "../main.ts";
import type { PlaneCommandOptions } from "../commands/plane.ts";
import { onHangup } from "../../serve/on-hangup.ts";
import { VERSION } from "../../shell/version.ts";
import { AttachedTelemetry } from "./attached-telemetry.ts";
import { openRegionLinks } from "./open-region-links.ts";
import { openProvisionDriver } from "./open-provision-driver.ts";
import { explainingLog, openStore, whereLogIs } from "../../serve/open-store.ts";
import { type PlaneSettings, readPlaneSettings } from "./plane-settings.ts";
import { ServedAgain } from "./served-again.ts";

export async function runPlane(
  options: PlaneCommandOptions,
  terminal: Terminal,
  stopped: Promise<string>,
): Promise<void> {
  const settings = await readPlaneSettings(options);
  const { folder, leaseSeconds, credentials, secretKeys, ownTokens, tlsToo } = settings;
  const log = createLog(options.logLevel ?? "info");
  if (credentials.tokens === undefined) log.warn(OPEN_TO_THIS_MACHINE);
  credentials.watch(log);
  secretKeys.watch(log);
  const ignoreHangup = onHangup(() => {
    credentials.reloadNow();
    void secretKeys.reload();
  });
  const clock = createHostClock();
  const onNote = (sentence: string): void => log.warn(sentence);
  const onHead = (head: ChainHead): void => log.info(head, "The head of the audit chain.");
  const recordings = recordingFolder(options, folder);
  closeOpen({ folder, recordings }, onNote);
  const store = await openStore({ where: settings.store, folder, leaseSeconds, onNote, onHead });
  if (isSharedLog(store) && ownTokens !== undefined) log.warn(OWN_TOKENS_AMONG_PLANES);
  const lock = isSharedLog(store) ? await lockForPlane(folder, store) : undefined;
  const replaced = deferred<"resigned">();
  const api = new ServedAgain({ settings, clock, log, recordings });
  const telemetry = new AttachedTelemetry();
  const plane = await openPlane(store, settings, {
    store,
    clock,
    ...openRecorder(recordings),
    onResigned: () => replaced.resolve("resigned"),
    onLeap: () => {
      api.again();
      telemetry.beginAgain();
    },
    ...saying(log),
  });
  await checkSeals(plane, settings);
  const driver = openProvisionDriver(plane, settings, log);
  const links = openRegionLinks(plane, settings, { clock, log });
  try {
    await telemetry.attach(plane, settings, log);
    const url = await api.serve(plane);
    const token = ownTokens === undefined ? {} : { tokenFile: ownTokens.admin };
    const caFiles = tlsToo === undefined ? {} : { caFiles: [tlsToo.certFile] };
    writePlaneNote(folder, { url, pid: process.pid, ...token, ...caFiles });
    terminal.out(
      `Plane at ${url}, log in ${whereLogIs(settings.store, folder)}.\n${dashboardLine(url, ownTokens?.admin)}\n`,
    );
    tellPlace(plane, { url, name: settings.name }, log);
    const why = await Promise.race([stopped, replaced.promise]);
    if (why === "resigned") {
      log.error("Another plane took over the log: this plane stops.");
      terminal.exitCode = 1;
    } else log.info(`Stopping after ${why}.`);
    // What agents beside this plane stop can still be told to it.
    await driver.close();
    // Requests in the meantime are forwarded to the next leader.
    await plane.handOver();
  } finally {
    removePlaneNote(folder, process.pid);
    links.close();
    await driver.close();
    await api.close();
    await plane.close();
    await telemetry.close();
    ignoreHangup();
    credentials.close();
    secretKeys.close();
    lock?.close();
  }
}

function tellPlace(
  { isShared, epoch, revision }: Plane,
  { url, name }: { readonly url: string; readonly name: string },
  log: LineLog,
): void {
  if (!isShared) log.info({ url, epoch, revision }, LEADER_MESSAGE);
  else log.info({ url, name, revision }, "The plane is a follower.");
}

const OPEN_TO_THIS_MACHINE =
  "INSECURE: --insecure-local disables authentication: every user and process of this machine has full access to this plane.";

const OWN_TOKENS_AMONG_PLANES =
  "This plane generated its own tokens, but planes that share a log forward requests to the leader and must know the same tokens: start all of them with the same --token-file.";

/** What others could read until now, here and in a recording that lies elsewhere. */
function closeOpen(
  { folder, recordings }: { readonly folder: string; readonly recordings: string | undefined },
  onNote: (sentence: string) => void,
): void {
  const said = [
    closedText(folder, closeToOthers(folder)),
    recordings && closedText(recordings, closeToOthers(recordings, RECORDED)),
  ];
  for (const sentence of said) if (sentence !== undefined) onNote(sentence);
}

/**
 * A log that is a plane's own is locked itself; where it is shared, two must not write one
 * recording and one note.
 */
async function lockForPlane(folder: string, store: LogStore): Promise<Server> {
  try {
    return await lockFolder(folder, "plane");
  } catch (error) {
    await store.close();
    if (!(error instanceof CannotRunError)) throw error;
    const advice = "Use another directory with --data.";
    throw new UserError("log-unavailable", `${error.message} ${advice}`);
  }
}

async function openPlane(
  store: LogStore,
  { name, url, schedulers }: PlaneSettings,
  options: PlaneOptions,
): Promise<Plane> {
  // Before it stands for the lead: while it leads, nothing may hold it up for long.
  if (isSharedLog(store)) compileChecks();
  try {
    return await explainingLog(() =>
      Plane.open({
        ...options,
        ...(isSharedLog(store) ? { name, shared: { log: store, url } } : {}),
        createControllers: () => createControllers({ schedulers }),
      }),
    );
  } catch (error) {
    await store.close();
    throw error;
  }
}

function saying(log: LineLog): Pick<PlaneOptions, "onTrouble" | "onLead"> {
  return {
    onTrouble: (message) => log.error(message),
    // It may lead before its opener gets it.
    onLead: (isLeading, { epoch, revision }) => {
      if (isLeading) log.info({ epoch, revision }, LEADER_MESSAGE);
      else log.warn("The plane lost leadership and is now a follower.");
    },
  };
}

/** A wrong key shows now, not when a replica first needs its password (SE8). */
async function checkSeals(plane: Plane, { secretKeys, mayLackKeys }: PlaneSettings): Promise<void> {
  const unknown = unknownSeals(plane.objects, secretKeys.current);
  if (unknown === undefined || mayLackKeys) return;
  await plane.close();
  const { example, keyIds, secrets } = unknown;
  const have = secretKeys.current?.ids.join(", ") ?? "none";
  throw new UserError(
    "log-unavailable",
    `${secrets} of its secrets, such as ${example}, are sealed with ${keyIds.join(", ")}; the plane has ${have}. Add the key with --secret-key-file, or start with --unreadable-secrets: replicas that need these secrets then wait.`,
  );
}

/** Undefined when the plane is not to record. */
function recordingFolder({ record }: PlaneCommandOptions, data: string): string | undefined {
  if (record === false) return undefined;
  return typeof record === "string" ? record : join(data, "recording");
}

function openRecorder(folder: string | undefined): { readonly recorder?: Recorder } {
  if (folder === undefined) return {};
  try {
    return { recorder: new Recorder({ folder, version: VERSION }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file: folder });
  }
}
