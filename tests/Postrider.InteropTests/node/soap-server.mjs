// The store as a service of npm's soap, from the WSDL in the file named.
import http from "node:http";
import { readFileSync } from "node:fs";
import soap from "soap";

const prefixed = (object) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [`g:${name}`, value instanceof Date ? value.toISOString() : value]));

const store = {
  Add: ({ a, b }) => ({ AddResult: Number(a) + Number(b) }),
  Reverse: ({ items }) => ({ ReverseResult: { string: [...items.string].reverse() } }),
  // Members are in the namespace of their own schema, which this library leaves to its users.
  Echo: ({ goods }) => ({ EchoResult: { attributes: { "xmlns:g": "urn:postrider:goods" }, ...prefixed(goods) } }),
  WhoAmI: (_, __, headers) => ({ WhoAmIResult: headers?.Tenant ?? "nobody" }),
  Buy: ({ item, count }) => {
    if (Number(count) <= 3) return { BuyResult: count };
    throw {
      Fault: {
        faultcode: "soap:Client",
        faultstring: "Only 3 are left.",
        detail: { SoldOut: { attributes: { xmlns: "urn:postrider:faults" }, Item: item, Left: 3 } },
      },
    };
  },
};

const server = http.createServer((_, response) => response.writeHead(404).end());
server.listen(0, "127.0.0.1", () => {
  soap.listen(server, "/store", { Store: { StoreSoap: store, StoreSoap12: store } }, readFileSync(process.argv[2], "utf8"));
  console.log(server.address().port);
});
process.stdin.on("end", () => process.exit(0)).resume();
