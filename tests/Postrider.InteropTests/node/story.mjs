// Common to the stories: the address is the first argument; what is printed is what the test compares.
import { connect as dial } from "@nats-io/transport-node";
import readline from "node:readline";

export const url = process.argv[2];

export const connect = (options = {}) => dial({ servers: url, timeout: 10_000, ...options });

export const print = (...words) => console.log(words.join(" "));

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Tells the test that something is to be done to the server and waits until it is done. */
export async function ask(what) {
  print("ask:", what);
  await lines.next();
}

/** The text of what a promise was refused with. */
export async function refusal(promise) {
  try {
    await promise;
    return "no error";
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

export function end() {
  lines.return?.();
  process.stdin.destroy();
}
