/** How a plane knows its callers besides the tokens of its list. */
import type { Command } from "commander";

export interface CallerOptions {
  readonly authConfig?: string;
  readonly clientCa?: string;
  readonly signerCert?: string;
  readonly signerKey?: string;
}

export const addCallerOptions = (command: Command): Command =>
  command
    .option(
      "--signer-cert <file>",
      "certificate of the authority that signs certificates of agents (default: generated in DIR)",
    )
    .option("--signer-key <file>", "private key of that authority")
    .option(
      "--client-ca <file>",
      "CA certificates whose client certificates the API accepts: CN is the user, O are the groups",
    )
    .option(
      "--auth-config <file>",
      "issuers of JWTs that the API accepts (OIDC), as an AuthenticationConfiguration of Kubernetes",
    );
