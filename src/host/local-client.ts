/** A controller inside the plane's own process: its component, its turn and its one timer. */
import type { ClientEffect, ClientInput, Component } from "../core/kernel/component.ts";
import { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import type { ObjectKey, Revision } from "../core/model/ids.ts";
import type { FoldedElsewhere, View } from "../core/observe/view.ts";
import type { Owed } from "../core/runner/runner.ts";

export interface OneController {
  readonly name: string;
  readonly waits: {
    readonly byReason: ReadonlyMap<string, number>;
    get(key: ObjectKey): Owed | undefined;
    onMove: ((key: ObjectKey) => void) | undefined;
  };
}

export interface ClientComponent extends Component<ClientInput, ClientEffect> {
  readonly name: string;
  readonly view: View;
  /** Those it is made of, where several share one component. */
  readonly members?: readonly OneController[];
  /** Left out where its members have them. */
  readonly waits?: OneController["waits"];
  /** Where several share one component, each wait says whose it is. */
  owed(): readonly (Owed & { readonly controller?: string })[];
}

export class LocalClient {
  readonly component: ClientComponent;
  readonly turn: KeyedTurn;
  /** How far the stream to this client has come; undefined until its first list. */
  cursor: Revision | undefined;
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Immediate | undefined;

  constructor(component: ClientComponent, seed: number, log: FoldedElsewhere) {
    this.component = component;
    // A group is shown every kind there is; one that is alone may not know more than it is
    // interested in.
    if (component.members !== undefined) component.view.lookInto(log);
    this.turn = new KeyedTurn(seed, component.name);
  }

  get name(): string {
    return this.component.name;
  }

  /**
   * What is due now comes after whatever sockets have brought meanwhile, and before waiting for
   * more.
   */
  setTimer(delayMs: number, fire: () => void): void {
    this.stop();
    if (delayMs > 0) this.timer = setTimeout(fire, delayMs);
    else this.soon = setImmediate(fire);
  }

  stop(): void {
    clearTimeout(this.timer);
    clearImmediate(this.soon);
  }
}
