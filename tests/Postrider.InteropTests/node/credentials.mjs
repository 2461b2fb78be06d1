// What the official client makes of credentials: argument 2 is the address, then their kind and file. It may use orders.> alone.
import { readFileSync } from "node:fs";
import { print, end } from "./story.mjs";
import { connect as dial, credsAuthenticator, nkeyAuthenticator } from "@nats-io/transport-node";

const [, , servers, kind, file] = process.argv;
const text = readFileSync(file);
const authenticator = kind === "creds" ? credsAuthenticator(text) : nkeyAuthenticator(new TextEncoder().encode(text.toString().trim()));

const nc = await dial({ servers, authenticator, timeout: 10_000 });
const sub = nc.subscribe("orders.*", { max: 1 });
const denied = (async () => {
  for await (const status of nc.status()) if (status.type === "error") return status.error.name;
})();
nc.publish("orders.new", "tea");
for await (const m of sub) print("received", m.string());
nc.publish("secret", "x");
print("denied", await denied);
await nc.close();
end();
