// What the official client makes of WebSockets: argument 2 is the address. Node 20 has no WebSocket of its own; npm's ws is one.
import { WebSocket } from "ws";
import { wsconnect } from "@nats-io/nats-core";
import { print, end } from "./story.mjs";
import { tell } from "./websocket-story.mjs";

globalThis.WebSocket = WebSocket;
const nc = await wsconnect({ servers: process.argv[2], timeout: 10_000 });
print("connected", nc.info.tls_required === true);
await tell(nc, print);
print("nobody", await nc.request("nobody.there").catch((error) => error.name));
await nc.close();
print("closed", nc.isClosed());
end();
