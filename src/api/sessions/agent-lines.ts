/** The streams that agents keep open, by node: the way to ask an agent for something. */
export class AgentLines {
  /**
   * Node → its agent's streams, the newest last: an agent that came back may not have lost the old
   * one yet.
   */
  private readonly agents = new Map<string, ((line: Buffer) => void)[]>();

  /** An agent's stream is there; the function that is returned says that it is gone. */
  attach(node: string, send: (line: Buffer) => void): () => void {
    const streams = this.agents.get(node) ?? [];
    this.agents.set(node, [...streams, send]);
    return () => {
      const left = (this.agents.get(node) ?? []).filter((other) => other !== send);
      if (left.length === 0) this.agents.delete(node);
      else this.agents.set(node, left);
    };
  }

  /** Undefined: no agent of the node is connected. */
  to(node: string): ((line: Buffer) => void) | undefined {
    return this.agents.get(node)?.at(-1);
  }
}
