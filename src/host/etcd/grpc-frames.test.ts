import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FrameCutter, frameMessage } from "./grpc-frames.ts";

test("a message has a byte and its length before it", () => {
  expect(frameMessage(Buffer.from("abc"))).toEqual(Buffer.from("0000000003616263", "hex"));
});

test("property: messages come out as they went in, wherever the stream is cut", () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 });
  const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
  fc.assert(
    fc.property(messages, cuts, (sent, sizes) => {
      const stream = Buffer.concat(sent.map(frameMessage));
      const cutter = new FrameCutter();
      const received: string[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length]!;
        for (const message of cutter.push(stream.subarray(at, at + size))) {
          received.push(Buffer.from(message).toString("hex"));
        }
        at += size;
      }
      expect(received).toEqual(sent.map((message) => Buffer.from(message).toString("hex")));
    }),
  );
});
