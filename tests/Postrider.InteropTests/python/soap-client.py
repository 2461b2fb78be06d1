# Python's zeep calls the store from its WSDL.
import decimal
import sys
from datetime import datetime, timezone

import zeep
from lxml import etree

address, version = sys.argv[1:]
client = zeep.Client(address + "?wsdl")
port = client.bind("Store", "StoreSoap12" if version == "soap12" else "StoreSoap")


def fault(item, count):
    try:
        port.Buy(item=item, count=count)
    except zeep.exceptions.Fault as told:
        return told
    raise AssertionError("no fault")


if version == "note":
    port.Note(text="from Python")
    sys.exit()

print("add", port.Add(a=40, b=2))
goods = client.get_type("{urn:postrider:goods}Goods")
part = client.get_type("{urn:postrider:goods}Part")
back = port.Echo(
    goods=goods(
        Id="00112233-4455-6677-8899-aabbccddeeff",
        Name="Grüße & <Küsse>",
        Price=decimal.Decimal("12.5"),
        Made=datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc),
        Left=zeep.xsd.Nil,
        Size="very-large",
        Picture=bytes([0, 1, 2, 255]),
        Parts={"Part": [part(Label="a", Number=1), part(Label="b", Number=9007199254740993)]},
        IsFragile=True,
        Weight=1.5,
    )
)
print("id", back.Id)
print("name", back.Name)
print("price", back.Price)
print("made", back.Made.isoformat().replace("+00:00", "Z"))
print("left", "null" if back.Left is None else back.Left)
print("size", back.Size)
print("picture", back.Picture.hex())
print("parts", " ".join(f"{one.Label}={one.Number}" for one in back.Parts.Part))
print("fragile", str(back.IsFragile).lower())
print("weight", back.Weight)
print("reverse", ",".join(port.Reverse(items={"string": ["a", "b", "c"]})))
print("bought", port.Buy(item="tea", count=2))
told = fault("tea", 4)
detail = client.get_element("{urn:postrider:faults}SoldOut").parse(told.detail.find("{urn:postrider:faults}SoldOut"), client.wsdl.types)
print("fault", told.message, "/", detail.Item, detail.Left)
print("refused", fault("tea", -1).message)
print("failed", fault("tea", 0).message)
tenant = etree.Element("{urn:postrider:store}Tenant")
tenant.text = "north"
print("tenant", port.WhoAmI(_soapheaders=[tenant]))
