/** `berth kubeconfig`: what kubectl and the Kubernetes client libraries need to talk to the plane. */
import type { Command } from "commander";
import { stringify } from "yaml";
import { connect } from "./client/connect.ts";
import { addServerOptions, type ServerOptions } from "./client/server-options.ts";
import type { Terminal } from "./main.ts";

export interface KubeconfigOptions extends ServerOptions {
  readonly namespace?: string;
}

export function registerKubeconfig(program: Command, terminal: Terminal): void {
  const command = program
    .command("kubeconfig")
    .description(
      "print a kubeconfig for the plane, or for the first of several that answers; it holds your token if you give one",
    )
    .option("-n, --namespace <tenant>", "the tenant that kubectl works with unless told otherwise");
  addServerOptions(command).action((options: KubeconfigOptions) => kubeconfig(options, terminal));
}

export async function kubeconfig(options: KubeconfigOptions, terminal: Terminal): Promise<void> {
  const client = connect(options);
  const { urls, token, ca } = client.server;
  // Kubectl knows one server: of several it should be one that is there. Where there is no choice, nobody is asked.
  if (urls.length > 1) await client.get("/version");
  const { url } = client;
  const { namespace } = options;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "berth",
        cluster: {
          server: url.href.replace(/\/$/, ""),
          ...(ca === undefined
            ? {}
            : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
        },
      },
    ],
    users: [{ name: "berth", user: token === undefined ? {} : { token } }],
    contexts: [
      {
        name: "berth",
        context: {
          cluster: "berth",
          user: "berth",
          ...(namespace === undefined ? {} : { namespace }),
        },
      },
    ],
    "current-context": "berth",
  };
  terminal.out(stringify(config, { lineWidth: 0 }));
  if (urls.length > 1) terminal.err(onlyOne(url, urls.length));
}

const onlyOne = ({ origin }: URL, planes: number): string =>
  `kubectl knows one server: this names ${origin}, of ${planes} planes. A TCP balancer before them serves when it is gone.\n`;
