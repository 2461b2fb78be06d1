import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
await jsm.streams.add({ name: "W", subjects: ["w.>"] });
for (let i = 1; i <= 100; i++) await js.publish(`w.${i % 4}`, `${i}`);
const shown = (c) => JSON.stringify(Object.fromEntries(Object.entries(c).filter(([k]) => k !== "metadata").sort()));

const added = await jsm.consumers.add("W", { durable_name: "all", ack_policy: "explicit" });
print("added", added.name, shown(added.config));
print("state", added.num_pending, added.num_ack_pending, added.num_waiting, added.delivered.consumer_seq, added.ack_floor.stream_seq);
print("same again", (await jsm.consumers.add("W", { durable_name: "all", ack_policy: "explicit" })).name);
print("other config", await refusal(jsm.consumers.add("W", { durable_name: "all", ack_policy: "none" })));
print("bad stream", await refusal(jsm.consumers.add("NONE", { durable_name: "x", ack_policy: "explicit" })));
print("bad filter", await refusal(jsm.consumers.add("W", { durable_name: "x", ack_policy: "explicit", filter_subject: "other" })));
print("both filters", await refusal(jsm.consumers.add("W", { durable_name: "x", ack_policy: "explicit", filter_subject: "w.1", filter_subjects: ["w.2"] })));
print("overlapping filters", await refusal(jsm.consumers.add("W", { durable_name: "x", ack_policy: "explicit", filter_subjects: ["w.>", "w.2"] })));
print("no start", await refusal(jsm.consumers.add("W", { durable_name: "x", ack_policy: "explicit", deliver_policy: "by_start_sequence" })));
print("bad name", await refusal(jsm.consumers.add("W", { durable_name: "x.y", ack_policy: "explicit" })));

// Fetch and acknowledge.
const all = await js.consumers.get("W", "all");
let seen = [];
for await (const m of await all.fetch({ max_messages: 10, expires: 5000 })) {
  seen.push(`${m.seq}`);
  if (m.seq === 1) print("first", m.subject, m.string(), m.info.stream, m.info.consumer, m.info.deliveryCount, m.info.streamSequence, m.info.deliverySequence, m.info.pending, m.redelivered);
  m.ack();
}
print("fetched", seen.join(","));
const next = await all.next({ expires: 5000 });
print("next", next.seq, await next.ackAck());
await nc.flush();
const after = await all.info();
print("floor", after.ack_floor.stream_seq, after.delivered.stream_seq, after.num_ack_pending, after.num_pending);

// Empty, no wait, bytes.
await jsm.consumers.add("W", { durable_name: "none", ack_policy: "explicit", filter_subject: "w.nothing" });
const none = await js.consumers.get("W", "none");
print("nothing", await none.next({ expires: 1000 }));
seen = [];
for await (const m of await none.fetch({ max_messages: 5, expires: 1000 })) seen.push(m.seq);
print("nothing fetched", seen.length);
const raw = async (request, subject = "none") => {
  const inbox = "raw." + Math.random().toString(36).slice(2);
  const sub = nc.subscribe(inbox);
  nc.publish(`$JS.API.CONSUMER.MSG.NEXT.W.${subject}`, JSON.stringify(request), { reply: inbox });
  for await (const m of sub) {
    sub.unsubscribe();
    return `${m.headers?.code ?? "-"} ${m.headers?.description ?? m.string()}`;
  }
};
print("no wait", await raw({ batch: 1, no_wait: true }));
print("expired", await raw({ batch: 1, expires: nanos(200) }));
print("bad request", await raw({ batch: "x" }));
print("heartbeat", await raw({ batch: 1, expires: nanos(3000), idle_heartbeat: nanos(300) }));
print("heartbeat too large", await raw({ batch: 1, expires: nanos(300), idle_heartbeat: nanos(300) }));
await jsm.consumers.add("W", { durable_name: "capped", ack_policy: "explicit", max_batch: 5, max_expires: nanos(1000), max_bytes: 100, max_waiting: 1 });
print("too many", await raw({ batch: 6 }, "capped"));
print("too long", await raw({ batch: 1, expires: nanos(5000) }, "capped"));
print("too much", await raw({ batch: 1, max_bytes: 200 }, "capped"));
print("no consumer", await refusal(nc.request("$JS.API.CONSUMER.MSG.NEXT.W.absent", "", { timeout: 500 })));
print("too small", await raw({ batch: 1, max_bytes: 10, no_wait: true }, "capped"));

// Ack kinds: each on a consumer of its own, one message at a time.
const alone = async (name, options = {}) => {
  await jsm.consumers.add("W", { durable_name: name, ack_policy: "explicit", max_ack_pending: 1, ...options });
  return js.consumers.get("W", name);
};
const told = (m) => `${m.seq} ${m.info.deliveryCount} ${m.redelivered}`;
const nak = await alone("nak");
(await nak.next({ expires: 5000 })).nak();
let m = await nak.next({ expires: 5000 });
print("naked", told(m));
const naked = Date.now();
m.nak(500);
m = await nak.next({ expires: 5000 });
print("naked for a while", told(m), Date.now() - naked >= 450);
const term = await alone("term");
(await term.next({ expires: 5000 })).term("no use");
print("after the term", told(await term.next({ expires: 5000 })));
const working = await alone("working", { ack_wait: nanos(600) });
m = await working.next({ expires: 5000 });
for (let i = 0; i < 4; i++) { await new Promise((r) => setTimeout(r, 300)); m.working(); }
await nc.flush();
print("in progress", (await working.info()).num_redelivered, (await working.info()).num_ack_pending);
m = await working.next({ expires: 5000 });
print("ack wait", told(m));
print("acknowledged", await m.ackAck(), told(await working.next({ expires: 5000 })));
const backoff = await alone("backoff", { backoff: [nanos(200), nanos(600)], max_deliver: 3 });
const times = [];
for (let i = 0; i < 3; i++) { m = await backoff.next({ expires: 5000 }); times.push([Date.now(), told(m)]); }
print("backoff", times.map((t) => t[1]).join(", "), times[1][0] - times[0][0] >= 150, times[2][0] - times[1][0] >= 500);
print("given up", told(await backoff.next({ expires: 5000 })));
print("nak then next", await (async () => {
  const inbox = "nxt." + Date.now();
  const sub = nc.subscribe(inbox, { max: 1 });
  const c = await alone("nxt");
  const first = await c.next({ expires: 5000 });
  nc.publish(first.reply, "+NXT 1", { reply: inbox });
  for await (const x of sub) return `${x.subject} ${x.string()}`;
})());

// Consume.
await jsm.consumers.add("W", { durable_name: "consume", ack_policy: "explicit", filter_subjects: ["w.1", "w.3"] });
const consume = await js.consumers.get("W", "consume");
const messages = await consume.consume({ max_messages: 10 });
let sum = 0;
let count = 0;
for await (const x of messages) {
  sum += Number(x.string());
  x.ack();
  if (++count === 50) break;
}
await messages.close();
await nc.flush();
print("consumed", count, sum, (await consume.info()).num_pending, (await consume.info()).ack_floor.stream_seq);

// Ack all, none, update, list, pause, delete.
await jsm.consumers.add("W", { durable_name: "ackall", ack_policy: "all" });
const ackAll = await js.consumers.get("W", "ackall");
let last;
for await (const x of await ackAll.fetch({ max_messages: 7, expires: 5000 })) last = x;
await last.ackAck();
print("ack all", (await ackAll.info()).ack_floor.stream_seq, (await ackAll.info()).num_ack_pending);
await jsm.consumers.add("W", { durable_name: "acknone", ack_policy: "none", deliver_policy: "last_per_subject", filter_subject: "w.>" });
const ackNone = await js.consumers.get("W", "acknone");
seen = [];
for await (const x of await ackNone.fetch({ max_messages: 4, expires: 5000 })) seen.push(`${x.subject}:${x.string()}`);
print("last per subject", seen.join(" "));
for (const [name, policy] of [["last", { deliver_policy: "last" }], ["new", { deliver_policy: "new" }], ["seq", { deliver_policy: "by_start_sequence", opt_start_seq: 90 }], ["time", { deliver_policy: "by_start_time", opt_start_time: new Date(0).toISOString() }]])
  print("deliver", name, (await jsm.consumers.add("W", { durable_name: name, ack_policy: "explicit", ...policy })).num_pending);
const updated = await jsm.consumers.update("W", "last", { description: "changed", max_ack_pending: 7 });
print("updated", updated.config.description, updated.config.max_ack_pending);
print("update of none", await refusal(jsm.consumers.update("W", "absent", { description: "x" })));
print("names", (await jsm.consumers.list("W").next()).map((c) => c.name).sort().join(","));
const until = new Date(Date.now() + 60_000);
const paused = await jsm.consumers.pause("W", "seq", until);
print("paused", paused.paused, (await jsm.consumers.info("W", "seq")).paused);
print("paused gives", await raw({ batch: 1, expires: nanos(300) }, "seq"));
print("resumed", (await jsm.consumers.resume("W", "seq")).paused, (await raw({ batch: 1, expires: nanos(3000) }, "seq")));
const short = await jsm.consumers.add("W", { name: "short", ack_policy: "explicit", inactive_threshold: nanos(300) });
print("ephemeral", short.config.durable_name ?? "-", short.name);
let gone = false;
for (let i = 0; i < 100 && !gone; i++) { await new Promise((r) => setTimeout(r, 50)); gone = (await refusal(jsm.consumers.info("W", "short"))) !== "no error"; }
print("inactive", gone, await refusal(jsm.consumers.info("W", "short")));
const waitingPull = raw({ batch: 1, expires: nanos(5000) }, "none");
await nc.flush();
print("deleted", await jsm.consumers.delete("W", "none"), await waitingPull, await refusal(jsm.consumers.delete("W", "none")));
await nc.close();
end();
