/**
 * Role `speak`: renews the leases of nodes while planes come and go. Like an agent that knows
 * several planes, it tries the next when one does not answer, and obeys the current leader.
 */
import { nodeManifest, type NodeSize } from "../measure/manifests.ts";
import { createPath } from "../path/api-pool.ts";
import { sendAsAgent } from "../path/send-as-agent.ts";
import { answerParent } from "../part/answer-parent.ts";
import type { Progress } from "../measure/progress.ts";
import { RenewalRound } from "../measure/renewal-round.ts";
import { PlaneCaller } from "./plane-caller.ts";

export interface SpeakTask {
  readonly urls: readonly string[];
  readonly nodes: number;
  readonly size: NodeSize;
}

class Speaker {
  private readonly urls: readonly string[];
  private readonly caller = new PlaneCaller();
  private readonly round = new RenewalRound(
    (node, seq) => this.renew(node, seq),
    // There was no leader. The next leader counts silence from its own beginning, and the next
    // renewal comes before that matters.
    () => {},
  );
  private at = 0;
  /** Unknown after any failure: another plane may lead under a later epoch. */
  private epoch: number | undefined;

  constructor(urls: readonly string[]) {
    this.urls = urls;
  }

  async join({ nodes, size }: SpeakTask, progress: Progress): Promise<void> {
    for (let at = 0; at < nodes; at += 1) {
      const manifest = nodeManifest(`node-${at}`, "zone-1", size);
      await this.ask(createPath(manifest), JSON.stringify(manifest));
      await this.round.add(manifest.metadata.name);
      progress(at + 1, nodes, "nodes ready");
    }
  }

  close(): void {
    this.round.stop();
    this.caller.close();
  }

  private ask(path: string, body?: string): Promise<string> {
    const url = this.urls[this.at] ?? "";
    return this.caller.ask({ url, path, ...(body === undefined ? {} : { body }) });
  }

  private async renew(node: string, seq: number): Promise<void> {
    const operation = `lease/${node}/1.${seq}`;
    const intent = { kind: "lease", operation, node, session: 1, seq, kept: [] } as const;
    let failure: unknown;
    for (let tries = 0; tries <= this.urls.length; tries += 1) {
      const { at } = this;
      try {
        const epoch = this.epoch ?? (await this.askEpoch());
        return await sendAsAgent((path, body) => this.ask(path, body), epoch, intent);
      } catch (error) {
        failure = error;
        this.epoch = undefined;
        // Other requests may have moved on to the next plane meanwhile.
        if (this.at === at) this.at = (at + 1) % this.urls.length;
      }
    }
    throw failure;
  }

  private async askEpoch(): Promise<number> {
    // For a node without replicas: only the epoch is needed.
    const list = await this.ask("/stream/list?node=nobody");
    const { epoch } = JSON.parse(list) as { readonly epoch: number };
    this.epoch = epoch;
    return epoch;
  }
}

export async function playSpeak(): Promise<void> {
  let speaker: Speaker | undefined;
  await answerParent(
    {
      join: async (task: SpeakTask, progress: Progress): Promise<void> => {
        speaker = new Speaker(task.urls);
        await speaker.join(task, progress);
      },
    },
    () => speaker?.close(),
  );
}
