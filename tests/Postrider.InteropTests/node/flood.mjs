// Opens many connections, each of which says CONNECT and hears PONG, holds them until it is told, and ends.
import net from "node:net";
import { print, ask, end, url } from "./story.mjs";

const { hostname, port } = new URL(url);
const count = Number(process.argv[3]);
const open = [];

const one = () => new Promise((resolve, reject) => {
  const socket = net.connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("latin1");
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("closed after: " + text)));
  socket.on("data", (piece) => {
    text += piece;
    if (text.endsWith("PONG\r\n")) resolve(socket);
  });
  socket.write('CONNECT {"verbose":false}\r\nSUB flood.' + open.length + " 1\r\nPING\r\n");
});

while (open.length < count) open.push(...(await Promise.all(Array.from({ length: Math.min(100, count - open.length) }, one))));
await ask("look");
for (const socket of open) {
  socket.removeAllListeners("close");
  socket.destroy();
}
print("held", open.length);
end();
