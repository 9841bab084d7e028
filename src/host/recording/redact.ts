/**
 * Takes secrets out before anything is written: the values of workload environments. Each is
 * replaced by a keyed digest, so that equal values stay equal and changed ones stay changed, which
 * is all that any decision can see of them, and so replay still matches. The key is made anew for
 * every recording and never written down.
 */
import { createHmac, randomBytes } from "node:crypto";

/**
 * What the text of every value has that carries an environment with something in it. Few texts
 * besides have it, and it begins with a rare letter, which is what a search looks for first.
 */
export const HAS_ENVIRONMENT = 'v":{"';

export class Redactor {
  readonly key: Uint8Array;

  constructor(key: Uint8Array = randomBytes(32)) {
    this.key = key;
  }

  /**
   * The value as JSON, redacted. Most inputs carry no environment, and looking at the text costs
   * the least.
   */
  encode(value: unknown): string {
    const text = JSON.stringify(value);
    return text.includes(HAS_ENVIRONMENT) ? JSON.stringify(this.redact(value)) : text;
  }

  /**
   * A copy of the value with every `env` mapping of texts redacted; the value itself when there is
   * none.
   */
  redact<T>(value: T): T {
    return this.walk(value) as T;
  }

  private walk(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value as readonly unknown[];
      const walked = items.map((item) => this.walk(item));
      return walked.some((item, at) => item !== items[at]) ? walked : value;
    }
    const fields = Object.entries(value);
    let isChanged = false;
    const walked = fields.map(([name, field]) => {
      const kept = name === "env" ? this.digestAll(field) : this.walk(field);
      if (kept !== field) isChanged = true;
      return [name, kept] as const;
    });
    return isChanged ? Object.fromEntries(walked) : value;
  }

  private digestAll(env: unknown): unknown {
    if (typeof env !== "object" || env === null) return env;
    const entries = Object.entries(env);
    if (entries.length === 0) return env;
    return Object.fromEntries(entries.map(([name, value]) => [name, this.digest(String(value))]));
  }

  private digest(text: string): string {
    return `redacted:${createHmac("sha256", this.key).update(text).digest("base64url").slice(0, 16)}`;
  }
}
