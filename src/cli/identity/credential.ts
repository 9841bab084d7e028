/**
 * `berth credential`: the token of a login as kubectl and the Kubernetes client libraries ask a
 * program for it (`client.authentication.k8s.io/v1`). A kubeconfig that names the program holds no
 * token, and never an old one.
 */
import type { Command } from "commander";
import type { Terminal } from "../main.ts";
import { freshLogin } from "./fresh-token.ts";
import { LOGIN_LIMITS } from "./login-limits.ts";

export function registerCredential(program: Command, terminal: Terminal): void {
  program
    .command("credential")
    .description("print the token of a login, as kubectl asks for it")
    .requiredOption("--server <origin>", "address of the plane, as `berth login` wrote it")
    .action(async ({ server }: { readonly server: string }) => {
      const { idToken, expiresMs } = await freshLogin(server);
      // Asked again in time: a client keeps the token until then.
      const untilMs = Math.max(expiresMs - LOGIN_LIMITS.renewMs.value / 2, Date.now());
      const status = { token: idToken, expirationTimestamp: new Date(untilMs).toISOString() };
      const apiVersion = "client.authentication.k8s.io/v1";
      terminal.out(`${JSON.stringify({ apiVersion, kind: "ExecCredential", status })}\n`);
    });
}
