import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
const count = async (name) => (await jsm.streams.info(name)).state.messages;
async function until(what) {
  for (let i = 0; i < 500; i++) {
    if (await what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

// A work queue: an acknowledged message is gone.
await jsm.streams.add({ name: "QUEUE", subjects: ["queue.>"], retention: "workqueue" });
for (let i = 1; i <= 10; i++) await js.publish(`queue.${i % 2 ? "odd" : "even"}`, `${i}`);
await jsm.consumers.add("QUEUE", { durable_name: "odd", ack_policy: "explicit", filter_subject: "queue.odd" });
print("ack policy", await refusal(jsm.consumers.add("QUEUE", { durable_name: "x", ack_policy: "none", filter_subject: "queue.even" })));
print("overlap", await refusal(jsm.consumers.add("QUEUE", { durable_name: "x", ack_policy: "explicit", filter_subject: "queue.odd" })));
print("all", await refusal(jsm.consumers.add("QUEUE", { durable_name: "x", ack_policy: "explicit" })));
print("deliver new", await refusal(jsm.consumers.add("QUEUE", { durable_name: "x", ack_policy: "explicit", filter_subject: "queue.even", deliver_policy: "new" })));
const odd = await js.consumers.get("QUEUE", "odd");
for await (const m of await odd.fetch({ max_messages: 3, expires: 5000 })) await m.ackAck();
print("left", await count("QUEUE"), (await odd.info()).num_pending);
const term = await odd.next();
term.term("broken");
print("terminated", await until(async () => (await count("QUEUE")) === 6));

// Interest: kept while somebody needs it.
await jsm.streams.add({ name: "INTEREST", subjects: ["interest.>"], retention: "interest" });
await js.publish("interest.a", "nobody");
print("no interest", await count("INTEREST"));
await jsm.consumers.add("INTEREST", { durable_name: "one", ack_policy: "explicit" });
await jsm.consumers.add("INTEREST", { durable_name: "two", ack_policy: "explicit", filter_subject: "interest.b" });
await js.publish("interest.a", "1");
await js.publish("interest.b", "2");
print("kept", await count("INTEREST"));
const one = await js.consumers.get("INTEREST", "one");
for await (const m of await one.fetch({ max_messages: 2, expires: 5000 })) await m.ackAck();
print("after one", await count("INTEREST"));
await (await (await js.consumers.get("INTEREST", "two")).next()).ackAck();
print("after both", await until(async () => (await count("INTEREST")) === 0));
await js.publish("interest.b", "3");
await jsm.consumers.delete("INTEREST", "one");
print("one is gone", await count("INTEREST"));
await jsm.consumers.delete("INTEREST", "two");
print("both are gone", await until(async () => (await count("INTEREST")) === 0));

// What the broker says of it.
const heard = [];
const advisories = nc.subscribe("$JS.EVENT.ADVISORY.>", { callback: (_, m) => { if (!m.subject.includes("ADVISORY.API")) heard.push([m.subject, m.json()]); } });
await nc.flush();
await jsm.streams.add({ name: "ADV", subjects: ["adv"] });
await jsm.streams.update("ADV", { max_msgs: 10 });
await jsm.consumers.add("ADV", { durable_name: "c", ack_policy: "explicit", max_deliver: 2, ack_wait: nanos(200) });
await js.publish("adv", "1");
await js.publish("adv", "2");
const c = await js.consumers.get("ADV", "c");
(await c.next()).nak();
const second = await c.next();
const third = second.seq === 1 ? await c.next() : second;
(second.seq === 1 ? third : second).term("reason");
print("max deliveries", await until(async () => { await c.fetch({ max_messages: 1, expires: 1000 }).then(async (f) => { for await (const _ of f); }); return heard.some(([s]) => s.includes("MAX_DELIVERIES")); }));
await jsm.consumers.delete("ADV", "c");
await jsm.streams.delete("ADV");
await until(() => heard.some(([s]) => s.includes("STREAM.DELETED")));
for (const [subject, event] of heard.filter(([s]) => !s.includes("NAKED") || true).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0))
  print("heard", subject, event.type, event.action ?? event.reason ?? event.deliveries ?? "-", event.stream);

// Priority groups.
await jsm.streams.add({ name: "PRIO", subjects: ["prio"] });
for (let i = 0; i < 10; i++) await js.publish("prio", `${i}`);
print("no group", await refusal(jsm.consumers.add("PRIO", { durable_name: "x", ack_policy: "explicit", priority_policy: "overflow" })));
await jsm.consumers.add("PRIO", { durable_name: "over", ack_policy: "explicit", priority_policy: "overflow", priority_groups: ["A"] });
const over = await js.consumers.get("PRIO", "over");
const raw = async (request, consumer) => {
  const inbox = "raw." + Math.random().toString(36).slice(2);
  const sub = nc.subscribe(inbox);
  nc.publish(`$JS.API.CONSUMER.MSG.NEXT.PRIO.${consumer}`, JSON.stringify(request), { reply: inbox });
  for await (const m of sub) { sub.unsubscribe(); return m; }
};
const says = (m) => `${m.headers?.code ?? "-"} ${m.headers?.description ?? m.string()}`;
print("without group", says(await raw({ batch: 1, no_wait: true }, "over")));
print("wrong group", says(await raw({ batch: 1, no_wait: true, group: "B" }, "over")));
print("min pending", says(await raw({ batch: 1, expires: nanos(500), group: "A", min_pending: 100 }, "over")), says(await raw({ batch: 1, expires: nanos(5000), group: "A", min_pending: 5 }, "over")));
await jsm.consumers.add("PRIO", { durable_name: "pin", ack_policy: "explicit", priority_policy: "pinned_client", priority_groups: ["A"], priority_timeout: nanos(2000) });
const pinned = await raw({ batch: 1, expires: nanos(5000), group: "A" }, "pin");
const id = pinned.headers.get("Nats-Pin-Id");
print("pinned", pinned.string(), id.length > 0);
print("other waits", says(await raw({ batch: 1, expires: nanos(300), group: "A" }, "pin")));
print("wrong pin", says(await raw({ batch: 1, expires: nanos(300), group: "A", id: "wrong" }, "pin")));
print("right pin", (await raw({ batch: 1, expires: nanos(5000), group: "A", id }, "pin")).string());
await jsm.consumers.unpin("PRIO", "pin", "A");
const repinned = await raw({ batch: 1, expires: nanos(5000), group: "A" }, "pin");
print("unpinned", repinned.string(), repinned.headers.get("Nats-Pin-Id") !== id);
await nc.close();
end();
