/**
 * The credential that a program prints, as kubectl asks for it: no shell, no terminal, a bound on
 * its time and its output. It runs only if a person has named the very program that the
 * kubeconfig names: a file that was sent by others does not run what it likes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { UserError } from "../../shell/errors.ts";
import { LIVE_IMPORT_LIMITS } from "./live-limits.ts";
import type { ClusterAccess, CredentialProgram } from "./read-kubeconfig.ts";

type Credential = Pick<ClusterAccess, "authorization" | "clientCert" | "clientKey">;

/** What is told of standard error when a program fails. */
const LAST_WORDS = 200;

/** `named` is the program that a person lets the import run. */
export async function withCredential(
  access: ClusterAccess,
  named: string | undefined,
  timeoutMs: number = LIVE_IMPORT_LIMITS.credentialMs.value,
): Promise<ClusterAccess> {
  const { program, ...rest } = access;
  if (program === undefined) {
    if (named === undefined) return access;
    const why = `--exec names ${named}, and the user of context ${access.context} runs no program.`;
    throw new UserError("bad-usage", `${why} Leave it out.`);
  }
  if (named === undefined) {
    const why = `The user of context ${access.context} runs the program ${program.command} for a credential.`;
    const how = `Say --exec ${program.command} to run it, or import a dump of kubectl get -o json.`;
    throw new UserError("bad-usage", `${why} ${how}`);
  }
  if (named !== program.command) {
    const why = `--exec names ${named}, and the user of context ${access.context} runs ${program.command}.`;
    throw new UserError("bad-usage", `${why} Name the same program to run it.`);
  }
  return { ...rest, ...credentialIn(await outputOf(program, timeoutMs), program) };
}

function outputOf(program: CredentialProgram, timeoutMs: number): Promise<string> {
  const { command, args, env, apiVersion, cluster } = program;
  const spec = { interactive: false, ...(cluster && { cluster }) };
  const info = JSON.stringify({ apiVersion, kind: "ExecCredential", spec });
  return new Promise((take, fail) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: info },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that it ends with all that it started.
      detached: true,
      shell: false,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let words = "";
    const end = (why: string): void => {
      endGroup(child);
      fail(failed(program, why));
    };
    const { credentialBytes } = LIVE_IMPORT_LIMITS;
    const timer = setTimeout(() => end(`did not end within ${timeoutMs / 1_000} s`), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > credentialBytes.value) end(`printed more than ${credentialBytes.value} bytes`);
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      words = `${words}${chunk.toString("utf8")}`.slice(-LAST_WORDS);
    });
    child.on("error", ({ message }) => {
      clearTimeout(timer);
      fail(failed(program, `cannot be run: ${message}`));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) take(Buffer.concat(chunks).toString("utf8"));
      else fail(failed(program, `ended with ${signal ?? `code ${code}`}: ${oneLine(words)}`));
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}

function credentialIn(output: string, program: CredentialProgram): Credential {
  const { kind, apiVersion, status } = parsed(output);
  if (kind !== "ExecCredential" || apiVersion !== program.apiVersion) {
    throw failed(program, `printed no ExecCredential of ${program.apiVersion}`);
  }
  const { token, clientCertificateData, clientKeyData } = fieldsOf(status);
  const clientCert = textOf(clientCertificateData);
  const clientKey = textOf(clientKeyData);
  const bearer = textOf(token);
  if (bearer === undefined && (clientCert === undefined || clientKey === undefined)) {
    throw failed(program, "printed neither a token nor a certificate with its key");
  }
  return {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(clientCert === undefined ? {} : { clientCert }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}

function parsed(output: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(output));
  } catch {
    return {};
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ") || "it said nothing";

/** What it printed is not told: it may be a credential. */
const failed = ({ command }: CredentialProgram, why: string): UserError =>
  new UserError("cluster-unreachable", `${command} ${why}.`);
