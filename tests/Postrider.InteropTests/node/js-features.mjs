import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, nanos } from "@nats-io/nats-core";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
const state = async (name) => (await jsm.streams.info(name)).state;
async function until(what) {
  for (let i = 0; i < 500; i++) {
    if (await what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

// Age and time to live.
await jsm.streams.add({ name: "AGE", subjects: ["age"], max_age: nanos(500), duplicate_window: nanos(500) });
await js.publish("age", "x");
print("age", (await state("AGE")).messages, await until(async () => (await state("AGE")).messages === 0), (await state("AGE")).first_seq);
await jsm.streams.add({ name: "TTL", subjects: ["ttl.*"], allow_msg_ttl: true, subject_delete_marker_ttl: nanos(1000) });
print("with ttl", (await js.publish("ttl.a", "x", { ttl: "1s" })).seq, (await js.publish("ttl.b", "y", { ttl: "never" })).seq);
print("bad ttl", await refusal(js.publish("ttl.c", "x", { ttl: "soon" })));
print("marker", await until(async () => (await state("TTL")).last_seq === 3));
const marker = await jsm.streams.getMessage("TTL", { seq: 3 });
print("marker says", marker.subject, marker.seq, marker.data.length, marker.header.get("Nats-Marker-Reason"), marker.header.get("Nats-TTL"));
print("marker goes", await until(async () => (await state("TTL")).messages === 1));
await jsm.streams.add({ name: "NOTTL", subjects: ["nottl"] });
print("ttl not allowed", await refusal(js.publish("nottl", "x", { ttl: "1s" })));

// Republish, transform.
await jsm.streams.add({ name: "RE", subjects: ["re.>"], republish: { src: "re.*", dest: "out.{{wildcard(1)}}" } });
const out = nc.subscribe("out.>", { max: 1 });
await nc.flush();
await js.publish("re.one", "again");
for await (const m of out) print("republished", m.subject, m.string(), m.headers.get("Nats-Stream"), m.headers.get("Nats-Subject"), m.headers.get("Nats-Sequence"), m.headers.get("Nats-Last-Sequence"));
await jsm.streams.add({ name: "MAP", subjects: ["map.>"], subject_transform: { src: "map.*.*", dest: "mapped.{{wildcard(2)}}.{{wildcard(1)}}" } });
await js.publish("map.a.b", "x");
print("mapped", (await jsm.streams.getMessage("MAP", { seq: 1 })).subject);
print("bad transform", await refusal(jsm.streams.add({ name: "BAD", subjects: ["bad.>"], subject_transform: { src: "bad.*", dest: "x.{{wildcard(2)}}" } })));
print("republish cycle", await refusal(jsm.streams.add({ name: "CYCLE", subjects: ["cycle.>"], republish: { src: "cycle.*", dest: "cycle.out.{{wildcard(1)}}" } })));

// Direct gets.
await jsm.streams.add({ name: "DIRECT", subjects: ["d.*"], allow_direct: true });
for (const s of ["a", "b", "a", "c"]) await js.publish(`d.${s}`, s);
const direct = jsm.direct;
const got = await direct.getMessage("DIRECT", { seq: 2 });
print("direct", got.subject, got.seq, got.string(), got.stream);
print("direct last", (await direct.getMessage("DIRECT", { last_by_subj: "d.a" })).seq, (await direct.getMessage("DIRECT", { seq: 2, next_by_subj: "d.a" })).seq);
print("direct none", await direct.getMessage("DIRECT", { seq: 99 }), await direct.getMessage("DIRECT", { last_by_subj: "d.z" }));
const batch = [];
for await (const m of await direct.getBatch("DIRECT", { seq: 1, batch: 3 })) batch.push(`${m.seq}:${m.subject}`);
print("direct batch", batch.join(" "));
const lasts = [];
for await (const m of await direct.getLastMessagesFor("DIRECT", { multi_last: ["d.a", "d.c"] })) lasts.push(`${m.seq}:${m.subject}`);
print("direct lasts", lasts.join(" "));
print("no direct", await refusal(direct.getMessage("RE", { seq: 1 })));

// Counters, batches, schedules.
await jsm.streams.add({ name: "COUNT", subjects: ["count.*"], allow_msg_counter: true, allow_direct: true });
const add = async (subject, by) => {
  const h = headers();
  h.set("Nats-Incr", by);
  const reply = (await nc.request(subject, "", { headers: h })).json();
  return reply.error ? reply.error.description : reply.val;
};
print("counter", await add("count.a", "+5"), await add("count.a", "-2"), await add("count.a", "1"), await add("count.a", "x"));
print("plain in counter", await refusal(js.publish("count.a", "x")));
await jsm.streams.add({ name: "ATOMIC", subjects: ["atomic.*"], allow_atomic: true });
const b = await js.startBatch("atomic.a", "1");
b.add("atomic.b", "2");
b.add("atomic.c", "3");
print("hidden", (await state("ATOMIC")).messages);
const done = await b.commit("atomic.d", "4");
print("batch", done.count, done.seq, (await state("ATOMIC")).messages);
await jsm.streams.add({ name: "LATER", subjects: ["later.>"], allow_msg_schedules: true, allow_msg_ttl: true });
const schedule = headers();
schedule.set("Nats-Schedule", `@at ${new Date(Date.now() + 1000).toISOString()}`);
schedule.set("Nats-Schedule-Target", "later.now");
await js.publish("later.s", "due", { headers: schedule });
print("scheduled", await until(async () => (await jsm.streams.getMessage("LATER", { last_by_subj: "later.now" })) !== null));
const due = await jsm.streams.getMessage("LATER", { last_by_subj: "later.now" });
print("due", due.string(), due.header.get("Nats-Scheduler"), due.header.get("Nats-Schedule-Next"));

// Mirrors and sources.
await jsm.streams.add({ name: "ORIGIN", subjects: ["origin.*"] });
for (let i = 1; i <= 20; i++) await js.publish(`origin.${i % 2 ? "odd" : "even"}`, `${i}`);
await jsm.streams.add({ name: "MIRROR", mirror: { name: "ORIGIN" } });
print("mirrored", await until(async () => (await state("MIRROR")).messages === 20), (await jsm.streams.getMessage("MIRROR", { seq: 7 })).string());
await jsm.streams.add({ name: "SOURCED", sources: [{ name: "ORIGIN", filter_subject: "origin.even" }] });
print("sourced", await until(async () => (await state("SOURCED")).messages === 10), (await jsm.streams.getMessage("SOURCED", { seq: 3 })).string(), (await jsm.streams.getMessage("SOURCED", { seq: 3 })).header.get("Nats-Stream-Source").split(" ").slice(0, 2).join(" "));
await jsm.streams.add({ name: "FROM", mirror: { name: "ORIGIN", opt_start_seq: 15 } });
print("from 15", await until(async () => (await state("FROM")).messages === 6), (await state("FROM")).first_seq);
await js.publish("origin.odd", "21");
print("follows", await until(async () => (await state("MIRROR")).last_seq === 21));
print("publish to mirror", await refusal(jsm.streams.add({ name: "MS", subjects: ["x"], mirror: { name: "ORIGIN" } })));
print("mirror of none", await refusal(jsm.streams.add({ name: "M2", mirror: { name: "ORIGIN", filter_subject: "a", subject_transforms: [{ src: "a", dest: "b" }] } })));
const mi = (await jsm.streams.info("MIRROR")).mirror;
print("mirror info", mi.name, mi.lag);
await nc.close();
end();
