/**
 * All events that can wait in virtual time. Hosts talk to each other only through these, so the
 * order of the queue alone decides the order of a run.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Reply } from "../core/protocol/outcome.ts";
import type { AuthorityInput, ClientInput, ProcessEvent } from "../core/kernel/component.ts";
import type { Won } from "../core/commit/plane-standing.ts";
import type { Epoch } from "../core/model/ids.ts";
import type { ClientProcess } from "./hosts/client-process.ts";
import type { Fault } from "./faults/fault.ts";
import type { MachineProcess } from "./hosts/machine-process.ts";
import type { Message } from "./hosts/message.ts";
import type { NodeMachine } from "./hosts/node-machine.ts";
import type { PlaneProcess } from "./hosts/plane-process.ts";

/** Events for one client. While its node is paused they are kept, and delivered on its return. */
export type ClientEvent =
  | { readonly kind: "timer"; readonly client: ClientProcess; readonly incarnation: number }
  | {
      readonly kind: "reply";
      readonly client: ClientProcess;
      readonly message: Message;
      readonly reply: Reply;
    }
  | { readonly kind: "deliver"; readonly client: ClientProcess; readonly incarnation: number }
  | {
      readonly kind: "listed";
      readonly client: ClientProcess;
      readonly incarnation: number;
      readonly list: number;
      readonly input: Extract<ClientInput, { kind: "listed" }>;
      /** It came from a stale replica, as a list of any age. */
      readonly isOfAnyAge: boolean;
    }
  | {
      readonly kind: "list-again";
      readonly client: ClientProcess;
      readonly incarnation: number;
      readonly list: number;
    }
  | {
      readonly kind: "restart-client";
      readonly client: ClientProcess;
      readonly incarnation: number;
    };

/** Events for one of several planes; kept while it is paused. */
export type LeadershipEvent =
  /** The store's answer to an attempt to lead. */
  | {
      readonly kind: "won";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly attempt: number;
      readonly sentMs: number;
      readonly won: Won;
    }
  | {
      readonly kind: "attempt-over";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly attempt: number;
    }
  /** News of who leads. */
  | { readonly kind: "leader-heard"; readonly plane: PlaneProcess; readonly incarnation: number }
  /** News of the log. */
  | { readonly kind: "news"; readonly plane: PlaneProcess; readonly incarnation: number }
  | {
      readonly kind: "renewal-due";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly epoch: Epoch;
    }
  | {
      readonly kind: "renewed";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly epoch: Epoch;
      readonly sentMs: number;
      readonly granted: boolean;
    }
  /** Its own clock says that the lease may be over. */
  | {
      readonly kind: "lease-look";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly epoch: Epoch;
    }
  | {
      readonly kind: "append-answered";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly append: number;
      readonly epoch: Epoch;
      readonly result: "durable" | "fenced" | "unknown";
    }
  /** A request that another plane passed on arrives. */
  | {
      readonly kind: "passed-on";
      readonly plane: PlaneProcess;
      readonly by: PlaneProcess;
      readonly incarnation: number;
      readonly call: number;
      readonly message: Message;
    }
  /** Its answer comes back to the plane that passed it on. */
  | {
      readonly kind: "passed-back";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly call: number;
      readonly reply: Reply;
    };

/** Events for the store of several planes: a pause of the sender does not delay them. */
export type StoreEvent =
  | {
      readonly kind: "attempt-lands";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly attempt: number;
      readonly sentMs: number;
    }
  | {
      readonly kind: "renewal-lands";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly epoch: Epoch;
      readonly sentMs: number;
    }
  | { readonly kind: "lease-ends"; readonly plane: PlaneProcess; readonly incarnation: number }
  | { readonly kind: "resume-plane"; readonly plane: PlaneProcess; readonly pauses: number };

export type PlaneEvent =
  | LeadershipEvent
  | StoreEvent
  | { readonly kind: "request"; readonly plane: PlaneProcess; readonly message: Message }
  /** A plane with a bounded capacity takes the next request. */
  | { readonly kind: "serve-next"; readonly plane: PlaneProcess }
  | {
      readonly kind: "list-asked";
      readonly plane: PlaneProcess;
      readonly client: ClientProcess;
      readonly incarnation: number;
      readonly list: number;
    }
  | { readonly kind: "claim-lands"; readonly plane: PlaneProcess; readonly incarnation: number }
  | {
      readonly kind: "claimed";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly input: Extract<AuthorityInput, { kind: "claimed" }>;
    }
  | {
      readonly kind: "append-lands";
      readonly plane: PlaneProcess;
      readonly incarnation: number;
      readonly append: number;
      readonly epoch: Epoch;
      readonly commits: readonly Commit[];
      /** It was kept by the network until a cut was over, and is not kept again. */
      readonly wasKept?: true;
    }
  | { readonly kind: "restart-plane"; readonly plane: PlaneProcess; readonly incarnation: number };

export type PlaneEventOf<K> = Extract<PlaneEvent, { readonly kind: K }>;

/** Events for the machine under an agent; kept while it is paused, lost when it has crashed. */
export type NodeEvent =
  | {
      readonly kind: "process-event";
      readonly node: NodeMachine;
      readonly agentIncarnation: number;
      readonly event: ProcessEvent;
    }
  | {
      readonly kind: "process-probed";
      readonly node: NodeMachine;
      readonly agentIncarnation: number;
      readonly process: MachineProcess;
    }
  | {
      readonly kind: "process-ends";
      readonly node: NodeMachine;
      readonly process: MachineProcess;
      readonly code: number;
    }
  | { readonly kind: "leash"; readonly node: NodeMachine; readonly boots: number };

export type SimEvent =
  | ClientEvent
  | PlaneEvent
  | NodeEvent
  | { readonly kind: "boot"; readonly node: NodeMachine; readonly boots: number }
  | { readonly kind: "resume"; readonly node: NodeMachine; readonly pauses: number }
  | { readonly kind: "fault"; readonly fault: Fault }
  /** A stall, a drop or a partition is over: the components that waited for it are looked at. */
  | { readonly kind: "window-ends" }
  | { readonly kind: "heal" }
  | { readonly kind: "sweep" }
  | { readonly kind: "sample" }
  /** An act of the staging: what happens to the world from outside. */
  | { readonly kind: "scene"; readonly act: () => void }
  /** The staging ends the run here, at rest or not. */
  | { readonly kind: "end" };
