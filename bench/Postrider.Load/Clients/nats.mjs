// The nats.js side of the client table; the contract is in ClientDriver.cs.
// node nats.mjs FOLDER-WITH-NODE-MODULES MODE PORT BYTES SECONDS
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { performance } from "node:perf_hooks";
import process from "node:process";

const [folder, mode, port, bytes, seconds] = process.argv.slice(2);
const { connect } = createRequire(folder + "/")("@nats-io/transport-node");
const client = await connect({ servers: `127.0.0.1:${port}` });
const payload = new Uint8Array(Number(bytes)).fill(97);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const acknowledgeEvery = 1024;

async function publish(duration) {
  const deadline = performance.now() + duration * 1000;
  let count = 0;
  do {
    for (let i = 0; i < 1000; i++) client.publish("load.p0", payload);
    count += 1000;
    // The client never makes a publisher wait: without this its buffer would grow without bound.
    if (count % 10000 === 0) await client.flush();
  } while (performance.now() < deadline);
  await client.flush();
  return { messages: count };
}

async function request(inFlight, duration) {
  const latencies = [];
  const deadline = performance.now() + duration * 1000;
  await Promise.all(Array.from({ length: inFlight }, async () => {
    for (let now = performance.now(); now < deadline;) {
      const reply = await client.request("service.echo", payload, { timeout: 10000 });
      if (reply.data.length !== payload.length) throw new Error(`a reply of ${reply.data.length} bytes`);
      const then = performance.now();
      latencies.push(then - now);
      now = then;
    }
  }));
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)] * 1000;
  return { messages: latencies.length, p50_us: at(0.5), p99_us: at(0.99) };
}

async function measure(work) {
  await work(1);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const result = await work(Number(seconds));
  const elapsed = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  console.log(JSON.stringify({ ...result, seconds: elapsed, cpu_ns: (used.user + used.system) * 1000 }));
}

function count() {
  let received = 0;
  return (message) => {
    if (message.data.length !== payload.length) throw new Error(`a message of ${message.data.length} bytes`);
    if (++received % acknowledgeEvery === 0) client.publish("load.count", String(received));
  };
}

switch (mode) {
  case "publish":
    await measure(publish);
    break;
  case "request":
    await measure((duration) => request(1, duration));
    break;
  case "request-64":
    await measure((duration) => request(64, duration));
    break;
  case "subscribe": {
    const counting = count();
    client.subscribe("load.p0", { callback: (_, message) => counting(message) });
    await client.flush();
    console.log("ready");
    await lines.next();
    break;
  }
  case "iterate": {
    const counting = count();
    const subscription = client.subscribe("load.p0");
    await client.flush();
    console.log("ready");
    (async () => { for await (const message of subscription) counting(message); })();
    await lines.next();
    break;
  }
  default:
    throw new Error(`no mode ${mode}`);
}

await client.close();
process.exit(0);
