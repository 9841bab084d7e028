/** How the sender of a command was known, in words: `token 1f2e3d4c of controller scaler`. */
import type { Actor, Credential } from "../../core/model/actor.ts";

export function credentialText({ name, by }: Pick<Actor, "name" | "by">): string | undefined {
  if (by === undefined) return undefined;
  const from = by.address === undefined ? "" : ` from ${by.address}`;
  return `${proofText(name, by)}${from}`;
}

function proofText(name: string, by: Credential): string {
  const { kind, token } = by;
  // The administrator acts under any name: whose token it was stands beside that.
  if (kind === "local" && token !== undefined) {
    return `${proof(token)} of administrator ${by.name ?? name}`;
  }
  if (kind === "local") {
    const whose = by.name === undefined || by.name === "local" ? "" : ` as ${by.name}`;
    return `no token: on the plane's own machine${whose}`;
  }
  // An agent's name says what it is already.
  const owner = kind === "agent" ? (by.name ?? name).replace(/^agent:/, "") : (by.name ?? name);
  return `${proof(token)} of ${kind} ${owner}`;
}

/** Certificates and JWTs say what they are; digits alone are those of a token. */
const proof = (id = "unknown"): string => (id.includes(" ") ? id : `token ${id}`);

/**
 * The same in a word, for a line among many; undefined where it says nothing that the name does
 * not.
 */
export function credentialMark({ name, by }: Pick<Actor, "name" | "by">): string | undefined {
  if (by?.kind === "local" && by.token !== undefined) {
    return by.name === undefined ? by.token : `${by.token} of ${by.name}`;
  }
  if (by?.kind === "local") {
    return name === "local" || name.startsWith("agent:") ? undefined : "local";
  }
  return by?.kind === "agent" ? undefined : by?.token;
}
