/** How the sender of a command was known, in words: `token 1f2e3d4c of controller scaler`. */
import type { Actor } from "../../core/model/actor.ts";

export function credentialText({ name, by }: Pick<Actor, "name" | "by">): string | undefined {
  if (by === undefined) return undefined;
  const { kind, token } = by;
  // The administrator acts under any name: whose token it was stands beside that.
  if (kind === "local" && token !== undefined) {
    return `token ${token} of administrator ${by.name ?? name}`;
  }
  if (kind === "local") {
    const whose = by.name === undefined || by.name === "local" ? "" : ` as ${by.name}`;
    return `no token: on the plane's own machine${whose}`;
  }
  // An agent's name says what it is already.
  const owner = kind === "agent" ? (by.name ?? name).replace(/^agent:/, "") : (by.name ?? name);
  return `token ${token ?? "unknown"} of ${kind} ${owner}`;
}

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
