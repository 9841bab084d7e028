/** Whose pods a label selector selects: asked for every spread constraint, so pods are indexed. */
import type { LabelSelector, Pod } from "./kube-objects.ts";
import type { Owner } from "./owners.ts";
import { selects } from "./selectors.ts";

interface Member {
  readonly owner: Owner;
  readonly pod: Pod;
}

export class SelectedOwners {
  private readonly byPair = new Map<string, Member[]>();
  private readonly byNamespace = new Map<string, Member[]>();
  private readonly known = new Map<string, boolean>();

  constructor(members: readonly Member[]) {
    for (const member of members) {
      const { namespace, labels = {} } = member.pod.metadata;
      push(this.byNamespace, namespace ?? "", member);
      for (const [key, value] of Object.entries(labels)) {
        push(this.byPair, pairOf(namespace, key, value), member);
      }
    }
  }

  /** Whether it selects pods of this owner and of no other. */
  isOnly(selector: LabelSelector | undefined, owner: Owner): boolean {
    const { kind, namespace, name } = owner;
    const text = `${kind}/${namespace}/${name} ${JSON.stringify(selector ?? null)}`;
    let is = this.known.get(text);
    if (is === undefined) {
      is = this.candidates(selector, namespace)
        .filter(({ pod }) => selects(selector, pod.metadata.labels ?? {}))
        .every((member) => member.owner.kind === kind && member.owner.name === name);
      this.known.set(text, is);
    }
    return is;
  }

  private candidates(selector: LabelSelector | undefined, namespace: string): readonly Member[] {
    const lists = Object.entries(selector?.matchLabels ?? {}).map(
      ([key, value]) => this.byPair.get(pairOf(namespace, key, value)) ?? [],
    );
    const [shortest] = lists.toSorted((a, b) => a.length - b.length);
    return shortest ?? this.byNamespace.get(namespace) ?? [];
  }
}

const pairOf = (namespace: string | undefined, key: string, value: string): string =>
  `${namespace ?? ""} ${key}=${value}`;

function push(lists: Map<string, Member[]>, key: string, member: Member): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [member]);
  else list.push(member);
}
