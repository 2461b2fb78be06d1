import { connect, print, end } from "./story.mjs";

const nc = await connect({ name: "story" });
print("connected", nc.info.proto, nc.info.headers, nc.info.max_payload, nc.protocol.options.name);

const all = nc.subscribe("orders.>", { max: 3 });
const one = nc.subscribe("orders.*.paid");
nc.publish("orders.1.paid", "first");
nc.publish("orders.2", "second");
nc.publish("orders", "nobody hears this");
nc.publish("orders.3.paid", new Uint8Array([0, 1, 2, 255]));
await nc.flush();
for await (const m of all) print("all", m.subject, m.data.length);
one.unsubscribe();
for await (const m of one) print("one", m.subject, Buffer.from(m.data).toString("hex"));

const big = "x".repeat(512 * 1024);
const echo = nc.subscribe("big", { max: 1 });
nc.publish("big", big);
for await (const m of echo) print("big", m.string() === big);

print("round trip", (await nc.rtt()) >= 0);
const stats = nc.stats();
print("stats", stats.outMsgs, stats.inMsgs);
await nc.close();
print("closed", nc.isClosed());
end();
