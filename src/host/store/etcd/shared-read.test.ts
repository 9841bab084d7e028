import { expect, test } from "vitest";
import { SharedRead } from "./shared-read.ts";

/** A read whose answers the test gives. */
function aRead() {
  const answers: ((answer: number | Error) => void)[] = [];
  const shared = new SharedRead(
    () =>
      new Promise<number>((resolve, reject) => {
        answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  );
  return { shared, answers };
}

test("[LG18] who asks while a read is under way gets the answer of the next one, shared with all who came meanwhile", async () => {
  const { shared, answers } = aRead();
  const first = shared.ask();
  const [second, third] = [shared.ask(), shared.ask()];
  expect(answers).toHaveLength(1);
  answers[0]?.(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(answers).toHaveLength(2);
  const fourth = shared.ask();
  answers[1]?.(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await Promise.resolve();
  answers[2]?.(3);
  expect(await fourth).toBe(3);
  const fifth = shared.ask();
  answers[3]?.(4);
  expect(await fifth).toBe(4);
});

test("a read that fails fails only the callers that asked for it", async () => {
  const { shared, answers } = aRead();
  const [first, second] = [shared.ask(), shared.ask()];
  answers[0]?.(new Error("lost"));
  await expect(first).rejects.toThrow("lost");
  await Promise.resolve();
  answers[1]?.(2);
  expect(await second).toBe(2);
});
