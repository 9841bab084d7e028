/**
 * `berth kubeconfig`: what kubectl and the Kubernetes client libraries need to talk to the plane.
 */
import { realpathSync } from "node:fs";
import type { Command } from "commander";
import { UserError } from "../../shell/errors.ts";
import { connect } from "../client/connect.ts";
import type { Server } from "../client/find-server.ts";
import { kubeconfigFile, mergeKubeconfig } from "../client/merge-kubeconfig.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { keepOutputOwn } from "../keep-output-own.ts";
import type { Terminal } from "../main.ts";
import { yamlText } from "../../text/yaml-text.ts";

export interface KubeconfigOptions extends ServerOptions {
  readonly namespace?: string;
  readonly merge?: boolean;
  readonly exec?: boolean;
}

export function registerKubeconfig(program: Command, terminal: Terminal): void {
  const command = program
    .command("kubeconfig")
    .description("print a kubeconfig for kubectl, or merge it into yours")
    .option("-n, --namespace <tenant>", "default namespace (tenant) of the context")
    .option("--merge", "add the context berth to your own kubeconfig and make it the current one")
    .option("--exec", "name berth as the program that gives kubectl the token of your login")
    .addHelpText(
      "after",
      "\nWith several planes it names the first one that answers. It contains your token, if you give one.",
    );
  addServerOptions(command).action((options: KubeconfigOptions) => kubeconfig(options, terminal));
}

export async function kubeconfig(options: KubeconfigOptions, terminal: Terminal): Promise<void> {
  const client = connect(options);
  const { urls, token, login } = client.server;
  if (options.exec === true && login === undefined) throw noLogin(token);
  // Kubectl knows one server: of several it should be one that is there. Where there is no choice,
  // no question is asked.
  if (urls.length > 1) await client.get("/version");
  const { url, ca } = overTls(client.url, client.server);
  const { namespace } = options;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "berth",
        cluster: {
          server: url.href.replace(/\/$/, ""),
          // The JavaScript client speaks plain HTTP only to a server that it is told not to verify.
          ...(url.protocol === "http:" ? { "insecure-skip-tls-verify": true } : {}),
          ...(ca === undefined
            ? {}
            : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
        },
      },
    ],
    users: [{ name: "berth", user: userOf(client.server) }],
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
  if (options.merge === true) {
    const file = kubeconfigFile();
    mergeKubeconfig(file, config);
    terminal.out(`Context berth is in ${file} and is the current one.\n`);
  } else {
    if (token !== undefined) keepOutputOwn();
    terminal.out(yamlText(config));
  }
  if (urls.length > 1) terminal.err(onlyOne(url, urls.length));
  if (token !== undefined && url.protocol === "http:") terminal.err(NO_TOKEN_IN_THE_CLEAR);
}

const noLogin = (token: string | undefined): UserError =>
  new UserError(
    "bad-usage",
    token === undefined
      ? "--exec: there is no login at this plane; run `berth login` first."
      : "--exec: this plane is reached with a token, not with a login; leave out --exec.",
  );

/** A login has no token in the kubeconfig: kubectl asks berth for a fresh one. */
function userOf({ token, login }: Server): object {
  if (token !== undefined) return { token };
  if (login === undefined) return {};
  const script = process.argv[1];
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: script === undefined ? "berth" : realpathSync(script),
      args: ["credential", "--server", login.server],
      interactiveMode: "Never",
      provideClusterInfo: false,
    },
  };
}

const NO_TOKEN_IN_THE_CLEAR =
  "Warning: kubectl sends a token only over TLS, and this address is plain HTTP. Run `berth kubeconfig` with the --data of the plane, or give the plane a certificate (--tls-cert and --tls-key).\n";

/** kubectl sends no token over plain HTTP; a plane of this user speaks TLS at the same address. */
function overTls(url: URL, { token, ca, ownCa }: Server): { url: URL; ca: string | undefined } {
  if (token === undefined || ownCa === undefined || url.protocol !== "http:") return { url, ca };
  return { url: new URL(url.href.replace(/^http:/, "https:")), ca: ownCa };
}

const onlyOne = ({ origin }: URL, planes: number): string =>
  `The kubeconfig names ${origin}, one of ${planes} planes, because kubectl uses one server. For failover, put a TCP load balancer in front of them.\n`;
