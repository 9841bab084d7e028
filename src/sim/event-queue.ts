/**
 * What happens next in virtual time: a binary heap ordered by (time, arrival). Keys live in number
 * arrays of their own, so that sifting never touches the events and their shapes may differ.
 */
export class EventQueue<Event> {
  private readonly times: number[] = [];
  private readonly sequences: number[] = [];
  private readonly events: Event[] = [];
  private sequence = 0;

  get size(): number {
    return this.times.length;
  }

  /** Time of the next event; Infinity when there is none. */
  get nextMs(): number {
    return this.times.length === 0 ? Infinity : (this.times[0] as number);
  }

  push(atMs: number, event: Event): void {
    const { times, sequences, events } = this;
    const sequence = this.sequence++;
    let hole = times.length;
    times.push(atMs);
    sequences.push(sequence);
    events.push(event);
    // A new event has the highest sequence, so it rises only past strictly later times.
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const parentTime = times[parent] as number;
      if (parentTime <= atMs) break;
      times[hole] = parentTime;
      sequences[hole] = sequences[parent] as number;
      events[hole] = events[parent] as Event;
      hole = parent;
    }
    times[hole] = atMs;
    sequences[hole] = sequence;
    events[hole] = event;
  }

  pop(): Event | undefined {
    const { times, sequences, events } = this;
    const first = events[0];
    const lastTime = times.pop();
    const lastSequence = sequences.pop();
    const last = events.pop();
    if (lastTime === undefined || lastSequence === undefined || times.length === 0) return first;
    this.sink(lastTime, lastSequence, last as Event);
    return first;
  }

  private sink(time: number, sequence: number, event: Event): void {
    const { times, sequences, events } = this;
    const size = times.length;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isBefore(child + 1, child)) child++;
      const childTime = times[child] as number;
      if (childTime > time || (childTime === time && (sequences[child] as number) > sequence))
        break;
      times[hole] = childTime;
      sequences[hole] = sequences[child] as number;
      events[hole] = events[child] as Event;
      hole = child;
    }
    times[hole] = time;
    sequences[hole] = sequence;
    events[hole] = event;
  }

  private isBefore(a: number, b: number): boolean {
    const timeA = this.times[a] as number;
    const timeB = this.times[b] as number;
    return (
      timeA < timeB ||
      (timeA === timeB && (this.sequences[a] as number) < (this.sequences[b] as number))
    );
  }
}
