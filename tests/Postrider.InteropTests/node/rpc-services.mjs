// A contract of Postrider.Rpc, found and called as any service of NATS is.
import { Svcm } from "@nats-io/services";
import { connect, print, end } from "./story.mjs";

const nc = await connect();
const client = new Svcm(nc).client();
for await (const ping of await client.ping("till")) print("ping", ping.name, ping.version);
for await (const info of await client.info("till")) {
  for (const e of info.endpoints) print("endpoint", e.name, e.subject, e.queue_group);
}

print("answer", (await nc.request("till.Add", JSON.stringify({ first: 2, second: 40 }))).string());
print("text", (await nc.request("till.Take", '"cake"')).string());
const fault = await nc.request("till.Take", '"tea"');
print(
  "error", fault.headers.get("Nats-Service-Error-Code"), fault.headers.get("Nats-Service-Error"),
  fault.headers.get("Rpc-Status"), fault.headers.get("Rpc-Fault"), fault.string(),
);
const unreadable = await nc.request("till.Add", "{");
print("unreadable", unreadable.headers.get("Nats-Service-Error-Code"), unreadable.headers.get("Rpc-Status"));
await nc.close();
end();
