/**
 * Long work shares the event loop: of all answers that are made in slices, one makes its next slice
 * in each turn of the loop. With a turn of its own for each, twenty long lists would make every
 * other request wait for twenty slices in every turn.
 */
const waiting: (() => boolean)[] = [];
let isDue = false;

/**
 * Calls back when it is this work's turn; in the order in which works asked. False: it had nothing
 * to do, and the turn is the next one's.
 */
export function inNextSlice(begin: () => boolean): void {
  waiting.push(begin);
  schedule();
}

export const nextSlice = (): Promise<void> =>
  new Promise((resolve) => {
    inNextSlice(() => {
      resolve();
      return true;
    });
  });

function schedule(): void {
  if (isDue || waiting.length === 0) return;
  isDue = true;
  setImmediate(beginOne);
}

function beginOne(): void {
  isDue = false;
  try {
    let didWork = false;
    while (!didWork && waiting.length > 0) didWork = waiting.shift()?.() ?? false;
  } finally {
    schedule();
  }
}
