/**
 * Who makes machines for pools, as said on the command line (`NAME=exec:COMMAND`, `NAME=http:URL`,
 * `NAME=local`) or in a file. It is the plane's own configuration: a user who may write objects can
 * name one of these and bring in no other.
 */
import { isLoopback } from "../../api/http/authenticate.ts";
import type { Cursor, Fields } from "../../scenario/cursor.ts";
import { openYaml } from "../../scenario/open-yaml.ts";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";

export type ProvisionerPlan = { readonly name: string; readonly timeoutMs: number } & (
  | { readonly kind: "exec"; readonly command: readonly string[] }
  | {
      readonly kind: "http";
      readonly url: URL;
      readonly tokenFile?: string;
      readonly caFile?: string;
    }
  /** Left out: the folder `agents` beside the plane's log. */
  | { readonly kind: "local"; readonly folder?: string }
);

/** A provisioner that needs longer accepts first and creates the machine afterwards. */
export const TIMEOUT_MS = 60_000;
const SHORTEST_TIMEOUT_MS = 1_000;
/** As objects are called, because an object calls it by this. */
const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,61}[a-z0-9])?$/;
const FORM = "NAME=exec:COMMAND, NAME=http:URL or NAME=local, where NAME is a valid object name";

export interface ProvisionerOptions {
  readonly provisioner?: readonly string[];
  readonly provisioners?: string;
}

export function readProvisioners(
  { provisioner = [], provisioners: file }: ProvisionerOptions,
  { hasTokens }: { readonly hasTokens: boolean },
): readonly ProvisionerPlan[] {
  const plans = [
    ...provisioner.map(parseProvisioner),
    ...(file === undefined ? [] : parseProvisionerFile(readInput(file), file)),
  ];
  const names = new Set<string>();
  for (const plan of plans) {
    if (names.has(plan.name))
      throw bad(`duplicate name ${plan.name}; each provisioner needs a unique name`);
    names.add(plan.name);
    checkSecrets(plan, hasTokens);
  }
  return plans;
}

export function parseProvisioner(text: string): ProvisionerPlan {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(0, at));
  const what = text.slice(at + 1);
  if (!NAME.test(name)) throw bad(`found "${text}", expected ${FORM}`);
  const common = { name, timeoutMs: TIMEOUT_MS };
  if (what === "local") return { ...common, kind: "local" };
  if (what.startsWith("local:")) return { ...common, kind: "local", folder: what.slice(6) };
  if (what.startsWith("exec:")) {
    const command = what
      .slice(5)
      .split(/\s+/)
      .filter((word) => word !== "");
    if (command.length > 0) return { ...common, kind: "exec", command };
  }
  // `http:https://…` as it is documented, and an address alone as people will write it.
  const address = /^http:(?!\/\/)/.test(what) ? what.slice(5) : what;
  const url = parseAddress(address);
  if (url === undefined) throw bad(`found "${text}", expected ${FORM}`);
  return { ...common, kind: "http", url };
}

function parseAddress(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Process lists show arguments, and unencrypted traffic can be read on the network. */
function checkSecrets(plan: ProvisionerPlan, hasTokens: boolean): void {
  if (plan.kind !== "http") return;
  const { name, url, tokenFile } = plan;
  if (url.username !== "" || url.password !== "") {
    throw bad(
      `the address of ${name} contains a password; use tokenFile in --provisioners instead`,
    );
  }
  const isOpen = url.protocol === "http:" && !isLoopback(url.hostname.replaceAll(/[[\]]/g, ""));
  if (isOpen && (hasTokens || tokenFile !== undefined)) {
    throw bad(`${name} would send tokens over plain http; use an https address`);
  }
}

const bad = (what: string): UserError => new UserError("bad-usage", `--provisioner: ${what}.`);

/** `file` is only for the messages. */
export function parseProvisionerFile(text: string, file: string): readonly ProvisionerPlan[] {
  const { root, mistakes } = openYaml(text, file);
  const plans = root.fields(["provisioners"]).need("provisioners").list(readPlan);
  mistakes.throwIfAny("invalid-file");
  return plans.flatMap((plan) => plan ?? []);
}

const KINDS = ["exec", "http", "local"] as const;

function readPlan(cursor: Cursor): ProvisionerPlan | undefined {
  const fields = cursor.fields(["name", ...KINDS, "tokenFile", "caFile", "timeout"]);
  const name = readName(fields.need("name"));
  const timeoutMs = fields.get("timeout", readTimeout, TIMEOUT_MS);
  const given = KINDS.filter((kind) => fields.has(kind));
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    cursor.fail(`expected exactly one of ${KINDS.join(", ")}.`);
    return undefined;
  }
  const common = { name, timeoutMs };
  if (kind === "http") return { ...common, ...readHttp(fields) };
  for (const field of ["tokenFile", "caFile"]) {
    if (fields.has(field)) fields.need(field).fail("it is allowed with http only.");
  }
  if (kind === "exec") return { ...common, kind, command: readCommand(fields.need("exec")) };
  const where = fields.need("local");
  return where.scalar() === true
    ? { ...common, kind }
    : { ...common, kind, folder: where.text("true or a directory") };
}

function readName(cursor: Cursor): string {
  const name = cursor.text("a valid object name");
  if (!cursor.isMissing && name !== "" && !NAME.test(name)) {
    cursor.expected("a valid object name");
  }
  return name;
}

function readTimeout(cursor: Cursor): number {
  const ms = cursor.durationMs();
  if (ms < SHORTEST_TIMEOUT_MS || ms > TIMEOUT_MS) cursor.expected("1s to 60s");
  return ms;
}

function readCommand(cursor: Cursor): readonly string[] {
  const words = cursor.list((word) => word.text());
  if (words.length === 0) cursor.expected("a program and its arguments");
  return words;
}

function readHttp(fields: Fields): {
  readonly kind: "http";
  readonly url: URL;
  readonly tokenFile?: string;
  readonly caFile?: string;
} {
  const where = fields.need("http");
  const url = parseAddress(where.text("an address"));
  if (url === undefined) where.expected("an address such as https://machines.example/berth");
  const file = (name: string): string | undefined =>
    fields.get(name, (value) => value.text("a file"), undefined);
  const tokenFile = file("tokenFile");
  const caFile = file("caFile");
  return {
    kind: "http",
    url: url ?? new URL("http://127.0.0.1"),
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(caFile === undefined ? {} : { caFile }),
  };
}
