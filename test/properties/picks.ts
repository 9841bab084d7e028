/**
 * The choices of one move, as a list of small numbers. Each is read against what there is to choose from at
 * that moment, so a shorter list of moves still makes sense, and smaller numbers choose what comes first.
 */
export class Picks {
  private at = 0;
  private readonly numbers: readonly number[];

  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }

  /** Begins again when the list is used up: any number will do, as long as it is the same next time. */
  next(): number {
    const number = this.numbers[this.at % this.numbers.length] ?? 0;
    this.at += 1;
    return number;
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.next() % choices.length]!;
  }

  /** True once in so many times; never when the numbers have shrunk to zero. */
  onceIn(times: number): boolean {
    return this.next() % times === times - 1;
  }
}
