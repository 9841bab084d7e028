/**
 * The open connections of a server. When there is no room for another one, an idle one gives way:
 * first one that has never sent a request of a known caller, the oldest first. With none idle, a
 * few more are let in for health checks and leases alone. So silent connections, however many, keep
 * no client out.
 */
export interface Connection {
  destroy(): void;
}

export interface ConnectionBounds {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly connectionsReserved: number;
}

export type Admission = "ordinary" | "reserved" | "refused";

interface Entry {
  readonly connection: Connection;
  readonly address: Address;
  readonly isReserved: boolean;
  /** Requests that are being answered; several when a client does not wait for answers. */
  busy: number;
  /** Whether a known caller has used it. */
  isKnown: boolean;
}

/** Idle connections in the order in which they came to be idle. */
class Idle {
  private readonly silent = new Set<Entry>();
  private readonly known = new Set<Entry>();

  get oldest(): Entry | undefined {
    const [silent] = this.silent;
    if (silent !== undefined) return silent;
    const [known] = this.known;
    return known;
  }

  add(entry: Entry): void {
    (entry.isKnown ? this.known : this.silent).add(entry);
  }

  delete(entry: Entry): void {
    this.silent.delete(entry);
    this.known.delete(entry);
  }
}

class Address {
  readonly idle = new Idle();
  readonly name: string;
  count = 0;

  constructor(name: string) {
    this.name = name;
  }
}

export class ConnectionTable {
  private readonly bounds: ConnectionBounds;
  private readonly entries = new Map<Connection, Entry>();
  private readonly addresses = new Map<string, Address>();
  private readonly idle = new Idle();
  private readonly idleReserved = new Idle();
  private reserved = 0;
  /** Idle ones that were closed for others. */
  evicted = 0;
  refused = 0;

  constructor(bounds: ConnectionBounds) {
    this.bounds = bounds;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Call `remove` when it is closed, also when it was refused. */
  add(connection: Connection, from: string): Admission {
    const address = this.addresses.get(from) ?? new Address(from);
    const admission = this.admit(address);
    if (admission === "refused") {
      this.refused += 1;
      return admission;
    }
    const isReserved = admission === "reserved";
    const entry: Entry = { connection, address, isReserved, busy: 0, isKnown: false };
    this.entries.set(connection, entry);
    this.addresses.set(from, address);
    address.count += 1;
    if (isReserved) this.reserved += 1;
    this.rest(entry);
    return admission;
  }

  has(connection: Connection): boolean {
    return this.entries.has(connection);
  }

  isReserved(connection: Connection): boolean {
    return this.entries.get(connection)?.isReserved ?? false;
  }

  /** A request has come. */
  begin(connection: Connection): void {
    const entry = this.entries.get(connection);
    if (entry === undefined) return;
    entry.busy += 1;
    this.wake(entry);
  }

  /** Its caller is known: the connection goes after those that say nothing. */
  know(connection: Connection): void {
    const entry = this.entries.get(connection);
    if (entry !== undefined) entry.isKnown = true;
  }

  /** A request was answered. */
  end(connection: Connection): void {
    const entry = this.entries.get(connection);
    if (entry === undefined) return;
    entry.busy -= 1;
    if (entry.busy === 0) this.rest(entry);
  }

  remove(connection: Connection): void {
    const entry = this.entries.get(connection);
    if (entry === undefined) return;
    this.entries.delete(connection);
    const { address } = entry;
    this.wake(entry);
    address.count -= 1;
    if (entry.isReserved) this.reserved -= 1;
    if (address.count === 0) this.addresses.delete(address.name);
  }

  private admit(address: Address): Admission {
    const { connections, connectionsPerAddress, connectionsReserved } = this.bounds;
    const hasRoom =
      (address.count < connectionsPerAddress || this.evict(address.idle)) &&
      (this.size - this.reserved < connections || this.evict(this.idle));
    if (hasRoom) return "ordinary";
    const isReserveFree = this.reserved < connectionsReserved || this.evict(this.idleReserved);
    return isReserveFree ? "reserved" : "refused";
  }

  private evict(idle: Idle): boolean {
    const { oldest } = idle;
    if (oldest === undefined) return false;
    this.remove(oldest.connection);
    this.evicted += 1;
    oldest.connection.destroy();
    return true;
  }

  private rest(entry: Entry): void {
    for (const idle of this.restingPlaces(entry)) idle.add(entry);
  }

  private wake(entry: Entry): void {
    for (const idle of this.restingPlaces(entry)) idle.delete(entry);
  }

  /** A reserved one makes room in the reserve alone. */
  private restingPlaces({ isReserved, address }: Entry): readonly Idle[] {
    return isReserved ? [this.idleReserved] : [this.idle, address.idle];
  }
}
