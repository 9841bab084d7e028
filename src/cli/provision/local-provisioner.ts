/**
 * Makes believe that this machine is many: each node of a pool is an agent beside the plane, in a
 * folder of its own. For demonstrations and tests. The agents end with the plane; a plane that is
 * back goes on with the same nodes.
 */
import { join } from "node:path";
import {
  accepted,
  type ProvisionAnswer,
  type Provisioner,
  type ProvisionRequest,
  refused,
} from "../../host/provision/provision-protocol.ts";
import { LocalAgent } from "./local-agent.ts";

/** Each is a process of some sixty megabytes; more of them try this machine and not Berth. */
const MOST_AGENTS = 50;

export interface LocalProvisionerOf {
  /** One folder for each node is made in it. */
  readonly folder: string;
  readonly onNote: (sentence: string) => void;
  /** How this program is started; left out: as it was. */
  readonly berth?: readonly string[];
}

export class LocalProvisioner implements Provisioner {
  private readonly of: LocalProvisionerOf;
  private readonly agents = new Map<string, LocalAgent>();

  constructor(of: LocalProvisionerOf) {
    this.of = of;
  }

  async ask(request: ProvisionRequest): Promise<ProvisionAnswer> {
    try {
      return request.action === "create" ? this.create(request) : await this.remove(request);
    } catch (error) {
      return refused(error instanceof Error ? error.message : String(error));
    }
  }

  goOn(requests: readonly ProvisionRequest[]): void {
    for (const request of requests) {
      const answer = this.create(request);
      if (answer.kind === "refused") this.of.onNote(`${request.node.name}: ${answer.reason}.`);
    }
  }

  letGo(): void {
    for (const agent of this.agents.values()) void agent.kill();
    this.agents.clear();
  }

  async close(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.stop()));
    this.agents.clear();
  }

  private create(request: ProvisionRequest): ProvisionAnswer {
    const { name, uid } = request.node;
    if (this.agents.get(name)?.uid === uid) return accepted;
    if (this.agents.has(name))
      return refused(`the agent of an earlier node ${name} is still running`);
    if (this.agents.size >= MOST_AGENTS) {
      return refused(`limit of ${MOST_AGENTS} local agents reached`);
    }
    const agent = this.agentFor(request);
    this.agents.set(name, agent);
    agent.start();
    return accepted;
  }

  /** Also where it was started by a plane before: what is in its folder goes with the machine. */
  private async remove(request: ProvisionRequest): Promise<ProvisionAnswer> {
    const { name, uid } = request.node;
    const running = this.agents.get(name);
    if (running !== undefined && running.uid !== uid) return accepted;
    await (running ?? this.agentFor(request)).remove();
    this.agents.delete(name);
    return accepted;
  }

  private agentFor(request: ProvisionRequest): LocalAgent {
    const { folder, onNote, berth = [process.execPath, process.argv[1] ?? ""] } = this.of;
    return new LocalAgent({ request, folder: join(folder, request.node.name), berth, onNote });
  }
}
