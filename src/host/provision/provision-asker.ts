/**
 * Knows whom to ask about a node of a pool, and what to send: the pool names who it is, the plane
 * was told what that means.
 */
import { nodePoolKey } from "../../core/model/node/node-pool.ts";
import type { Node } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { ProvisionCounts } from "./provision-counts.ts";
import type { Provisioner, ProvisionRequest } from "./provision-protocol.ts";
import { type ErrandEnd, runErrand } from "./run-errand.ts";
import { requestFor, type WantedAction } from "./wanted-request.ts";

export interface ProvisionAskerOf {
  readonly objects: ObjectIndex;
  /** By the names that pools call them. */
  readonly provisioners: ReadonlyMap<string, Provisioner>;
  /** Where agents of new machines find the planes. */
  readonly server: string;
  /** Left out where the plane has no tokens. */
  readonly tokenOf?: (node: string) => string | undefined;
  readonly counts: ProvisionCounts;
  readonly firstPauseMs?: number;
}

export interface Asked {
  readonly action: WantedAction;
  readonly isWanted: () => boolean;
  readonly signal: AbortSignal;
}

export class ProvisionAsker {
  private readonly of: ProvisionAskerOf;

  constructor(of: ProvisionAskerOf) {
    this.of = of;
  }

  /** What the pool of the node calls who makes its machines; empty when the pool is gone. */
  nameFor({ spec }: Node): string {
    const pool = spec.pool === undefined ? undefined : this.of.objects.get(nodePoolKey(spec.pool));
    return pool?.kind === "NodePool" ? pool.spec.provisioner : "";
  }

  provisionerOf(node: Node): Provisioner | undefined {
    return this.of.provisioners.get(this.nameFor(node));
  }

  request(node: Node, action: WantedAction): ProvisionRequest {
    const { server, tokenOf } = this.of;
    const joinToken = action === "create" ? tokenOf?.(node.meta.name) : undefined;
    return requestFor(node, { action, server, joinToken });
  }

  async ask(node: Node, { action, isWanted, signal }: Asked): Promise<ErrandEnd> {
    const { counts, tokenOf, firstPauseMs } = this.of;
    const provisioner = this.provisionerOf(node);
    if (provisioner === undefined) return certain(this.nobody(node));
    const request = this.request(node, action);
    if (tokenOf !== undefined && action === "create" && request.joinToken === undefined) {
      return certain(noToken(node.meta.name));
    }
    return runErrand({
      provisioner,
      request,
      signal,
      isWanted,
      onAnswer: (answer) => counts.note(action, answer),
      ...(firstPauseMs === undefined ? {} : { firstPauseMs }),
    });
  }

  private nobody(node: Node): string {
    const name = this.nameFor(node);
    if (name === "") return `its pool ${node.spec.pool} is gone`;
    return `this plane has no provisioner ${name}: start it with --provisioner ${name}=…`;
  }
}

const certain = (reason: string): ErrandEnd => ({ kind: "failed", reason, isCertain: true });

const noToken = (name: string): string =>
  `the plane would reject its agent: the token file has no line "agent ${name} TOKEN"; add it and restart the plane`;
