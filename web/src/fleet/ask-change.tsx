/**
 * Asks before a node is cordoned, drained or let go, and does it as the commands do. The row
 * changes by its stream, not by hope.
 */
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { type Acting, asking, inNameOf } from "../parts/acting.ts";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import { changeNode, type Hold } from "./change-node.ts";
import { DrainPlan } from "./drain-plan.tsx";

/** What is typed into a dialog; read when it is confirmed. */
interface Typed {
  as: string;
  reason: string;
  deadline: string;
}

export async function askCordon(node: string): Promise<void> {
  await asking(async (acting) => {
    const typed = typedBy(acting);
    const isDone = await confirm({
      title: `Cordon node ${node}?`,
      action: "Cordon",
      body: (
        <>
          <p>No new work is placed there. Running replicas stay.</p>
          <NameField acting={acting} onInput={(name) => void (typed.as = name)} />
          <FormField label="Reason" isFirst onInput={(reason) => void (typed.reason = reason)} />
        </>
      ),
      run: () => {
        const own: Hold = { holder: typed.as, ...reasonOf(typed) };
        return changeNode(node, inName(acting, typed), ({ cordons = [] }) => ({
          cordons: [...cordons.filter(({ holder }) => holder !== typed.as), own],
        }));
      },
    });
    if (isDone) notify(`Node ${node} was cordoned by ${typed.as}.`, "good");
  });
}

export async function askLift(node: string, holder: string): Promise<void> {
  await asking(async (acting) => {
    const typed = typedBy(acting);
    const isDone = await confirm({
      title: `Lift the cordon of ${holder} on ${node}?`,
      action: "Lift the cordon",
      body: (
        <>
          <p>
            The node takes new work after its last cordon is lifted. You can lift only your own
            cordon; the plane rejects any other.
          </p>
          <NameField acting={acting} onInput={(name) => void (typed.as = name)} />
        </>
      ),
      run: () =>
        changeNode(node, inName(acting, typed), ({ cordons = [] }) => ({
          cordons: cordons.filter((each) => each.holder !== holder),
        })),
    });
    if (isDone) notify(`The cordon of ${holder} on ${node} is lifted.`, "good");
  });
}

export async function askDrain(node: string): Promise<void> {
  await asking(async (acting) => {
    const typed = typedBy(acting);
    const isDone = await confirm({
      title: `Drain node ${node}?`,
      action: "Drain",
      isDanger: true,
      body: (
        <>
          <p>
            Its replicas are evicted as their disruption budgets allow, and no new work is placed
            there. The drain lasts until its holder ends it.
          </p>
          <DrainPlan node={node} />
          <NameField acting={acting} onInput={(name) => void (typed.as = name)} />
          <FormField label="Reason" isFirst onInput={(reason) => void (typed.reason = reason)} />
          <FormField
            label="Deadline, after which the remaining replicas stay"
            placeholder="none, or for example 10m"
            onInput={(deadline) => void (typed.deadline = deadline)}
          />
        </>
      ),
      run: () =>
        changeNode(node, inName(acting, typed), () => ({ draining: true, drain: termsOf(typed) })),
    });
    if (isDone) notify(`Node ${node} is being drained.`, "good");
  });
}

export async function askUndrain(node: string): Promise<void> {
  await asking(async (acting) => {
    const typed = typedBy(acting);
    const isDone = await confirm({
      title: `End the drain of ${node}?`,
      action: "End the drain",
      body: (
        <>
          <p>The node takes new work again. Evicted replicas do not return automatically.</p>
          <NameField acting={acting} onInput={(name) => void (typed.as = name)} />
        </>
      ),
      run: () => changeNode(node, inName(acting, typed), () => ({ draining: false, drain: null })),
    });
    if (isDone) notify(`The drain of ${node} has ended.`, "good");
  });
}

const typedBy = ({ name }: Acting): Typed => ({ as: name, reason: "", deadline: "" });

const reasonOf = ({ reason }: Typed): { readonly reason?: string } =>
  reason.trim() === "" ? {} : { reason: reason.trim() };

/** A merge patch keeps what it does not name; terms of an earlier drain must not stay. */
const termsOf = (typed: Typed) => ({
  holder: typed.as,
  reason: reasonOf(typed).reason ?? null,
  deadline: typed.deadline.trim() === "" ? null : typed.deadline.trim(),
  atDeadline: null,
});

const inName = (acting: Acting, typed: Typed): Acting => inNameOf(acting, typed.as);
