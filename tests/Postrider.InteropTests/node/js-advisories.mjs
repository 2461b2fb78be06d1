// What the server says of itself: each advisory and metric once, with what clients read of it.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, nanos } from "@nats-io/nats-core";
import { connect, print, end } from "./story.mjs";

const nc = await connect({ name: "teller" });
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
const api = async (subject, request) => (await nc.request(`$JS.API.${subject}`, request === undefined ? "" : JSON.stringify(request), { timeout: 10_000 })).json();
async function until(what) {
  for (let i = 0; i < 500; i++) {
    if (await what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

// Go's server takes its folder away with the last stream, and now and then from under the next one.
await jsm.streams.add({ name: "KEPT", subjects: ["kept"] });
const heard = [];
nc.subscribe("$JS.EVENT.>", { callback: (_, m) => { if (m.subject !== "$JS.EVENT.ADVISORY.API") heard.push([m.subject, m.json()]); } });
const audits = [];
nc.subscribe("$JS.EVENT.ADVISORY.API", { callback: (_, m) => { if (m.json().subject === "$JS.API.STREAM.INFO.AUDITED") audits.push(m.json()); } });
await nc.flush();
/** Waits for an advisory and prints its type, its members and those that are always the same. */
async function advisory(name, kind, ...members) {
  const subject = `$JS.EVENT.${kind}`;
  const found = () => heard.find(([s]) => s === subject || s.startsWith(subject + "."));
  await until(() => found() !== undefined);
  const [at, event] = found() ?? ["nothing", {}];
  print(name, at, event.type, event.id?.length > 0, !Number.isNaN(Date.parse(event.timestamp)), members.map((m) => `${m}=${m === "client" ? event.client?.name : JSON.stringify(event[m])}`).join(" "), "/", Object.keys(event).filter((k) => k !== "domain").sort().join(","));
}

await jsm.streams.add({ name: "A", subjects: ["a.>"], allow_atomic: true });
await advisory("stream created", "ADVISORY.STREAM.CREATED", "stream", "action");
await jsm.streams.update("A", { description: "changed" });
await advisory("stream updated", "ADVISORY.STREAM.UPDATED", "stream", "action");
await jsm.consumers.add("A", { durable_name: "c", ack_policy: "explicit", max_deliver: 2, sample_freq: "100%", max_ack_pending: 1 });
await advisory("consumer created", "ADVISORY.CONSUMER.CREATED", "stream", "consumer", "action");
for (let i = 1; i <= 4; i++) await js.publish("a.b", `${i}`);
const c = await js.consumers.get("A", "c");
(await c.next({ expires: 5000 })).ack();
await advisory("acknowledged", "METRIC.CONSUMER.ACK.A.c", "stream", "consumer", "consumer_seq", "stream_seq", "deliveries");
(await c.next({ expires: 5000 })).nak();
await advisory("refused", "ADVISORY.CONSUMER.MSG_NAKED.A.c", "stream", "consumer", "consumer_seq", "stream_seq", "deliveries");
(await c.next({ expires: 5000 })).nak();
(await c.next({ expires: 5000 })).term("no use");
await advisory("given up", "ADVISORY.CONSUMER.MAX_DELIVERIES.A.c", "stream", "consumer", "stream_seq", "deliveries");
await advisory("terminated", "ADVISORY.CONSUMER.MSG_TERMINATED.A.c", "stream", "consumer", "stream_seq", "deliveries", "reason");
await jsm.consumers.pause("A", "c", new Date("2100-01-01T00:00:00Z"));
await advisory("paused", "ADVISORY.CONSUMER.PAUSE.A.c", "stream", "consumer", "paused", "pause_until");
await jsm.consumers.add("A", { durable_name: "p", ack_policy: "explicit", priority_policy: "pinned_client", priority_groups: ["G"], priority_timeout: nanos(60_000) });
nc.publish("$JS.API.CONSUMER.MSG.NEXT.A.p", JSON.stringify({ batch: 1, expires: nanos(5000), group: "G" }), { reply: "pinned.here" });
await advisory("pinned", "ADVISORY.CONSUMER.PINNED.A.p", "account", "stream", "consumer", "group");
await api("CONSUMER.UNPIN.A.p", { group: "G" });
await advisory("unpinned", "ADVISORY.CONSUMER.UNPINNED.A.p", "account", "stream", "consumer", "group", "reason");

const h = headers();
h.set("Nats-Batch-Id", "broken");
h.set("Nats-Batch-Sequence", "1");
await nc.request("a.x", "1", { headers: h });
h.set("Nats-Batch-Sequence", "5");
nc.publish("a.x", "5", { headers: h });
await advisory("batch abandoned", "ADVISORY.STREAM.BATCH_ABANDONED", "stream", "batch", "reason");

const chunks = [];
nc.subscribe("deliver.snapshot", { callback: (_, part) => { if (part.data.length > 0) chunks.push(part.data.slice()); part.respond(""); } });
await nc.flush();
const snapshot = await api("STREAM.SNAPSHOT.A", { deliver_subject: "deliver.snapshot" });
await advisory("snapshot begun", "ADVISORY.STREAM.SNAPSHOT_CREATE", "stream", "client");
await advisory("snapshot done", "ADVISORY.STREAM.SNAPSHOT_COMPLETE", "stream", "client");
await jsm.consumers.delete("A", "p");
await advisory("consumer deleted", "ADVISORY.CONSUMER.DELETED.A.p", "stream", "consumer", "action");
await jsm.streams.delete("A");
await advisory("stream deleted", "ADVISORY.STREAM.DELETED", "stream", "action");
const restore = await api("STREAM.RESTORE.A", { config: snapshot.config, state: snapshot.state });
await advisory("restore begun", "ADVISORY.STREAM.RESTORE_CREATE", "stream", "client");
for (const chunk of chunks) await nc.request(restore.deliver_subject, chunk, { timeout: 10_000 });
await nc.request(restore.deliver_subject, "", { timeout: 10_000 });
await advisory("restore done", "ADVISORY.STREAM.RESTORE_COMPLETE", "stream", "client");

await api("STREAM.INFO.AUDITED");
await until(() => audits.length > 0);
const { type, subject, client, response } = audits[0] ?? {};
print("audited", type, subject, client?.name, JSON.parse(response).error.err_code, Object.keys(audits[0]).filter((k) => k !== "domain").sort().join(","));
await nc.close();
end();
