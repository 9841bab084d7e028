/**
 * Asks the plane for the secrets of one start. The values go to the agent's memory; its logic is
 * told that they are there and nothing more (SE12).
 */
import type { Reply } from "../../core/protocol/outcome.ts";
import type { SecretsAsk } from "../../core/protocol/secrets-ask.ts";
import type { GivenValues, SecretValues } from "../secret-values.ts";
import type { HttpCaller } from "../../shell/http-caller.ts";

export type AskSecrets = (of: {
  readonly server: URL;
  readonly ask: SecretsAsk;
  readonly caller: HttpCaller;
}) => Promise<Reply>;

/** The agent's logic asks again by then. */
const GIVE_UP_MS = 10_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

type Answer = Reply & { readonly values?: GivenValues };

export const askSecretsFor =
  (values: SecretValues, note: (message: string) => void): AskSecrets =>
  async ({ server, ask, caller }) => {
    // The plane refuses it, too; but a plane on the way may be another one.
    if (server.protocol !== "https:" && !LOOPBACK.test(server.hostname)) {
      note(`no secrets from ${server.origin}: values are taken over TLS only`);
      return { kind: "unavailable" };
    }
    try {
      const signal = AbortSignal.timeout(GIVE_UP_MS);
      const call = { server, method: "POST", path: "/commands/secrets", body: ask } as const;
      const answer = await caller.call({ ...call, signal });
      if (answer.status !== 200) {
        note(`no secrets for ${ask.replica}: ${reasonIn(answer.text)}`);
        return { kind: "unavailable" };
      }
      const { values: given, ...reply } = JSON.parse(answer.text) as Answer;
      if (reply.kind === "secrets" && reply.decided.kind === "given") values.put(ask, given ?? {});
      return reply;
    } catch {
      // The plane is away: other requests say so.
      return { kind: "unavailable" };
    }
  };

/** Of a Kubernetes Status, which has no values. */
function reasonIn(text: string): string {
  try {
    return String((JSON.parse(text) as { readonly message?: unknown }).message);
  } catch {
    return "the plane gave no reason";
  }
}
