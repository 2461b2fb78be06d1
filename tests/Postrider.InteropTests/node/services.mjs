import { Svcm } from "@nats-io/services";
import { connect, print, end } from "./story.mjs";

const nc = await connect();
const service = await new Svcm(nc).add({
  name: "desk", version: "1.2.3", description: "orders", metadata: { region: "north" }, queue: "tellers",
});
const orders = service.addGroup("orders");
orders.addEndpoint("count", { handler: (error, m) => m.respond("42"), metadata: { kind: "query" } });
orders.addEndpoint("fail", (error, m) => m.respondError(404, "no such order"));
await nc.flush();

print("answer", (await nc.request("orders.count")).string());
const failure = await nc.request("orders.fail");
print("error", failure.headers.get("Nats-Service-Error-Code"), failure.headers.get("Nats-Service-Error"));

const client = new Svcm(nc).client();
for await (const ping of await client.ping("desk")) print("ping", ping.type, ping.name, ping.version, ping.id === service.info().id);
for await (const info of await client.info("desk")) {
  print("info", info.description, JSON.stringify(info.metadata));
  for (const e of info.endpoints) print("endpoint", e.name, e.subject, e.queue_group, JSON.stringify(e.metadata ?? null));
}
for await (const stats of await client.stats("desk")) {
  for (const e of stats.endpoints) print("stats", e.name, e.num_requests, e.num_errors, e.last_error ?? "-");
}
await service.stop();
await nc.close();
end();
