import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
await jsm.streams.add({ name: "PUSH", subjects: ["push.>"] });
for (let i = 1; i <= 200; i++) await js.publish(`push.${i % 2 ? "odd" : "even"}`, `${i}`);
const take = async (sub, many) => {
  const got = [];
  for await (const m of sub) {
    got.push(m);
    if (got.length === many) break;
  }
  return got;
};

// Raw push with explicit acks.
const sub = nc.subscribe("deliver.a");
await nc.flush();
await jsm.consumers.add("PUSH", { durable_name: "a", ack_policy: "explicit", deliver_subject: "deliver.a", max_ack_pending: 5, filter_subject: "push.odd" });
const five = await take(sub, 5);
print("pushed", five.map((m) => m.string()).join(","), five[0].subject, five[0].reply.split(".").slice(0, 7).join("."));
// Go's server notices a moment later that nobody listens any more.
let bound = await jsm.consumers.info("PUSH", "a");
for (let i = 0; i < 500 && bound.push_bound; i++) { await new Promise((r) => setTimeout(r, 20)); bound = await jsm.consumers.info("PUSH", "a"); }
print("bound", bound.push_bound ?? "-", bound.num_ack_pending);
print("pull of push", (await nc.request("$JS.API.CONSUMER.MSG.NEXT.PUSH.a", "", { timeout: 1000 }).catch((e) => e)).message ?? "answered");
print("in use", await refusal(jsm.consumers.add("PUSH", { durable_name: "b", ack_policy: "explicit", deliver_subject: "push.back" })));
await jsm.consumers.delete("PUSH", "a");

// Flow control and heartbeats, as the client does them.
await jsm.consumers.add("PUSH", { durable_name: "flow", ack_policy: "none", deliver_subject: "deliver.flow", flow_control: true, idle_heartbeat: nanos(1000) });
const push = await js.consumers.getPushConsumer("PUSH", "flow");
const messages = await push.consume();
let count = 0;
for await (const m of messages) {
  count++;
  if (m.info.pending === 0) break;
}
await messages.close();
print("flow", count);
const beats = nc.subscribe("deliver.beat", { max: 1 });
await jsm.consumers.add("PUSH", { name: "beat", ack_policy: "none", deliver_policy: "new", deliver_subject: "deliver.beat", idle_heartbeat: nanos(500), inactive_threshold: nanos(60_000) });
for await (const m of beats) print("beat", m.headers.code, m.headers.description, m.headers.get("Nats-Last-Consumer"), m.headers.get("Nats-Last-Stream"));

// A queue group shares.
const counts = [0, 0];
const one = nc.subscribe("deliver.q", { queue: "g", callback: (_, m) => { counts[0]++; m.respond("+ACK"); } });
const two = nc.subscribe("deliver.q", { queue: "g", callback: (_, m) => { counts[1]++; m.respond("+ACK"); } });
await nc.flush();
await jsm.consumers.add("PUSH", { durable_name: "q", ack_policy: "explicit", deliver_subject: "deliver.q", deliver_group: "g" });
for (let i = 0; i < 200 && counts[0] + counts[1] < 200; i++) await new Promise((r) => setTimeout(r, 20));
print("shared", counts[0] + counts[1], counts[0] > 0, counts[1] > 0);
one.unsubscribe();
two.unsubscribe();

// Ordered consumers, by pull and by push, and one whose consumer is taken away.
for (const kind of ["pull", "push"]) {
  const ordered = kind === "pull" ? await js.consumers.get("PUSH", { filter_subjects: ["push.even"] }) : await js.consumers.getPushConsumer("PUSH", { filter_subjects: ["push.even"] });
  const iterator = await ordered.consume();
  const got = [];
  for await (const m of iterator) {
    got.push(Number(m.string()));
    if (kind === "pull" && got.length === 20) await jsm.consumers.delete("PUSH", (await ordered.info(true)).name);
    if (got.length === 100) break;
  }
  await iterator.close();
  print("ordered", kind, got.length, got.every((v, i) => v === 2 * (i + 1)));
}

// Replay as it was, headers only, sampling.
await jsm.streams.add({ name: "SLOW", subjects: ["slow"] });
for (let i = 0; i < 3; i++) { await js.publish("slow", "x".repeat(10)); await new Promise((r) => setTimeout(r, 300)); }
const slow = nc.subscribe("deliver.slow", { max: 3 });
await nc.flush();
const began = Date.now();
await jsm.consumers.add("SLOW", { name: "replay", ack_policy: "none", deliver_subject: "deliver.slow", replay_policy: "original", headers_only: true });
const replayed = [];
for await (const m of slow) replayed.push(m);
print("replayed", Date.now() - began >= 500, replayed.map((m) => `${m.data.length}/${m.headers.get("Nats-Msg-Size")}`).join(" "));
const samples = nc.subscribe("$JS.EVENT.METRIC.CONSUMER.ACK.SLOW.sampled", { max: 1 });
await jsm.consumers.add("SLOW", { durable_name: "sampled", ack_policy: "explicit", sample_freq: "100%" });
(await (await js.consumers.get("SLOW", "sampled")).next()).ack();
for await (const m of samples) { const s = m.json(); print("sampled", s.type, s.stream, s.consumer, s.stream_seq, s.deliveries); }
await nc.close();
end();
