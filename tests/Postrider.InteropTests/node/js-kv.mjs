import { Kvm } from "@nats-io/kv";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const kvm = new Kvm(nc);
const kv = await kvm.create("settings", { history: 3, description: "of the shop" });
const shown = (e) => e === null ? "null" : `${e.key}=${e.string()}@${e.revision}/${e.operation}`;
const collect = async (iterator) => { const all = []; for await (const e of iterator) all.push(e); return all; };

print("absent", shown(await kv.get("colour")));
print("put", await kv.put("colour", "red"), await kv.put("colour", "green"), shown(await kv.get("colour")));
print("revision", shown(await kv.get("colour", { revision: 1 })));
print("create", await kv.create("size", "1"), await refusal(kv.create("size", "2")));
print("update", await kv.update("size", "3", 3), await refusal(kv.update("size", "4", 3)));
await kv.delete("size");
print("deleted", shown(await kv.get("size")), await kv.create("size", "again"));
print("history", (await collect(await kv.history({ key: "size" }))).map(shown).join(" "));
for (const word of ["blue", "black", "white"]) await kv.put("colour", word);
print("three kept", (await collect(await kv.history({ key: "colour" }))).map(shown).join(" "));
await kv.put("shop.name", "Corner");
await kv.put("shop.city", "Ulm");
print("keys", (await collect(await kv.keys())).sort().join(","), "/", (await collect(await kv.keys("shop.*"))).sort().join(","));
await kv.purge("colour");
print("purged", shown(await kv.get("colour")), (await collect(await kv.history({ key: "colour" }))).map(shown).join(" "));
print("bad key", await refusal(kv.put("a b", "x")));
const status = await kv.status();
print("status", status.bucket, status.values, status.history, status.description, status.ttl, status.storage);

const watcher = await kv.watch();
const seen = [];
for await (const e of watcher) {
  seen.push(`${shown(e)}${e.isUpdate ? "!" : ""}`);
  if (seen.length === 4) { await kv.put("shop.name", "Harbour"); await kv.delete("shop.city"); }
  if (seen.length === 6) break;
}
print("watched", seen.join(" "));
const updates = await kv.watch({ include: "updates", key: "shop.>" });
await kv.put("other", "x");
await kv.put("shop.street", "High");
for await (const e of updates) { print("updates", shown(e)); break; }
const history = await kv.watch({ include: "history", key: "size" });
const old = [];
for await (const e of history) { old.push(shown(e)); if (old.length === 3) break; }
print("with history", old.join(" "));
const resumed = await kv.watch({ resumeFromRevision: status.streamInfo.state.last_seq });
for await (const e of resumed) { print("resumed", e.revision >= status.streamInfo.state.last_seq); break; }

const ttl = await kvm.create("brief", { markerTTL: 5000 });
await ttl.create("session", "x", "1s");
print("ttl", shown(await ttl.get("session")));
let gone = false;
for (let i = 0; i < 200 && !gone; i++) { await new Promise((r) => setTimeout(r, 20)); gone = (await ttl.get("session"))?.operation !== "PUT"; }
const marker = await ttl.get("session");
print("expired", gone, marker === null ? "null" : marker.operation);
const many = await kvm.create("many");
await Promise.all(Array.from({ length: 1000 }, (_, i) => many.put(`k.${i}`, `${i}`)));
print("many", (await collect(await many.keys())).length, (await many.get("k.777")).string());
const open = await kvm.open("many");
print("opened", (await open.get("k.5")).string(), await refusal(kvm.open("absent").then((b) => b.status())));
print("buckets", (await (async () => { const all = []; for await (const s of kvm.list()) all.push(s.bucket); return all; })()).sort().join(","));
print("destroyed", await many.destroy());
await nc.close();
end();
