// npm's soap calls the store from its WSDL.
import soap from "soap";

const [address, version] = process.argv.slice(2);
const client = await soap.createClientAsync(`${address}?wsdl`, { forceSoap12Headers: version === "soap12", handleNilAsNull: true });
const port = client.Store[version === "soap12" ? "StoreSoap12" : "StoreSoap"];
const call = (name, body) => new Promise((resolve, reject) => port[name](body, (error, result) => (error ? reject(error) : resolve(result))));
const fault = async (body) => {
  try {
    await call("Buy", body);
    return {};
  } catch (error) {
    return error.root.Envelope.Body.Fault;
  }
};

if (version === "note") {
  await call("Note", { text: "from npm" });
  process.exit(0);
}

console.log("add", (await call("Add", { a: 40, b: 2 })).AddResult);
const goods = {
  Id: "00112233-4455-6677-8899-aabbccddeeff",
  Name: "Grüße & <Küsse>",
  Price: "12.5",
  Made: "2026-01-02T03:04:05Z",
  Left: { attributes: { "xsi:nil": "true" } },
  Size: "very-large",
  Picture: Buffer.from([0, 1, 2, 255]).toString("base64"),
  Parts: { Part: [{ Label: "a", Number: "1" }, { Label: "b", Number: "9007199254740993" }] },
  IsFragile: true,
  Weight: 1.5,
};
const back = (await call("Echo", { goods })).EchoResult;
const raw = client.lastResponse;
console.log("id", back.Id);
console.log("name", back.Name);
console.log("price", String(back.Price));
console.log("made", back.Made.toISOString().replace(".000", ""));
console.log("left", back.Left);
console.log("size", back.Size);
console.log("picture", Buffer.from(back.Picture, "base64").toString("hex"));
// Number is a double there: the digits are taken from the envelope.
const numbers = [...raw.matchAll(/Number>(\d+)</g)].map((m) => m[1]);
console.log("parts", back.Parts.Part.map((p, i) => `${p.Label}=${numbers[i]}`).join(" "));
console.log("fragile", back.IsFragile);
console.log("weight", back.Weight);
console.log("reverse", (await call("Reverse", { items: { string: ["a", "b", "c"] } })).ReverseResult.string.join(","));
console.log("bought", (await call("Buy", { item: "tea", count: 2 })).BuyResult);
const told = await fault({ item: "tea", count: 4 });
const text = (f) => f.faultstring?.$value ?? f.faultstring ?? f.Reason.Text.$value ?? f.Reason.Text;
const detail = (told.detail ?? told.Detail).SoldOut;
console.log("fault", text(told), "/", detail.Item, detail.Left);
console.log("refused", text(await fault({ item: "tea", count: -1 })));
console.log("failed", text(await fault({ item: "tea", count: 0 })));
client.addSoapHeader({ Tenant: "north" }, "", "s", "urn:postrider:store");
console.log("tenant", (await call("WhoAmI", {})).WhoAmIResult);
process.exit(0);
