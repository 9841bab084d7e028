/**
 * What the indexes of batches have come to, kept from the changes of an index. A job of a hundred thousand completions
 * is decided on at every change of any of them, so nothing here is ever counted by walking them.
 */
import type { ObjectKey } from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { isResting } from "../model/stage.ts";

export interface JobBook {
  /** Slots that have a life which has not ended. */
  readonly live: ReadonlySet<number>;
  readonly succeeded: number;
  /** Of all slots together, whatever became of them. */
  readonly failures: number;
  /** Slots whose last life ended without success, by how often they have failed. */
  readonly resting: ReadonlyMap<number, ReadonlySet<number>>;
}

interface KeptBook extends JobBook {
  live: Set<number>;
  succeeded: number;
  failures: number;
  resting: Map<number, Set<number>>;
  /** Goes with its last replica. */
  replicas: number;
}

const NOTHING: JobBook = { live: new Set(), succeeded: 0, failures: 0, resting: new Map() };

export class JobBooks {
  /** By workload, and within it by uid and generation: namesakes and old templates leave replicas behind. */
  private readonly books = new Map<ObjectKey, Map<string, KeptBook>>();

  /** What a workload's present template has come to. */
  of({ key, meta, status }: Workload): JobBook {
    return this.books.get(key)?.get(`${meta.uid}/${status.templateGeneration}`) ?? NOTHING;
  }

  /** Whether there is nothing under its name but replicas of its present template. */
  isAlone({ key, meta, status }: Workload): boolean {
    const books = this.books.get(key);
    if (books === undefined) return true;
    return books.size === 1 && books.has(`${meta.uid}/${status.templateGeneration}`);
  }

  /** How many lives of its earlier templates have not ended. */
  oldLives({ key, meta, status }: Workload): number {
    let lives = 0;
    for (const [name, { live }] of this.books.get(key) ?? []) {
      const isOwn = name.startsWith(`${meta.uid}/`);
      if (isOwn && name !== `${meta.uid}/${status.templateGeneration}`) lives += live.size;
    }
    return lives;
  }

  /** Replicas of services cost nothing but the question. */
  fold(workload: ObjectKey, was: Replica | undefined, is: Replica | undefined): void {
    if ((is ?? was)?.spec.type !== "batch") return;
    const isSame =
      was?.status.stage === is?.status.stage &&
      was?.status.failures === is?.status.failures &&
      was?.meta.uid === is?.meta.uid;
    if (isSame) return;
    if (was !== undefined) this.take(workload, was);
    if (is !== undefined) this.add(workload, is);
  }

  private add(workload: ObjectKey, { spec, status }: Replica): void {
    const books = this.books.get(workload) ?? new Map<string, KeptBook>();
    const name = `${spec.workloadUid}/${spec.generation}`;
    const book = books.get(name) ?? emptyBook();
    books.set(name, book);
    this.books.set(workload, books);
    book.replicas += 1;
    book.failures += status.failures;
    if (status.stage === "succeeded") book.succeeded += 1;
    else if (!isResting(status.stage)) book.live.add(spec.slot);
    else {
      const slots = book.resting.get(status.failures) ?? new Set();
      book.resting.set(status.failures, slots.add(spec.slot));
    }
  }

  private take(workload: ObjectKey, { spec, status }: Replica): void {
    const books = this.books.get(workload);
    const name = `${spec.workloadUid}/${spec.generation}`;
    const book = books?.get(name);
    if (books === undefined || book === undefined) return;
    book.replicas -= 1;
    book.failures -= status.failures;
    if (status.stage === "succeeded") book.succeeded -= 1;
    else if (!isResting(status.stage)) book.live.delete(spec.slot);
    else {
      const slots = book.resting.get(status.failures);
      slots?.delete(spec.slot);
      if (slots?.size === 0) book.resting.delete(status.failures);
    }
    if (book.replicas > 0) return;
    books.delete(name);
    if (books.size === 0) this.books.delete(workload);
  }
}

const emptyBook = (): KeptBook => ({
  live: new Set(),
  succeeded: 0,
  failures: 0,
  resting: new Map(),
  replicas: 0,
});
