# Python's zeep calls the store with WS-Addressing, and over TLS with a name and a password.
import sys
import warnings

import requests
import zeep
from zeep.transports import Transport
from zeep.wsa import WsAddressingPlugin
from zeep.wsse.username import UsernameToken

warnings.simplefilter("ignore")
address, secure, version = sys.argv[1:]
port = "StoreSoap12" if version == "soap12" else "StoreSoap"


def fault(call):
    try:
        call()
    except zeep.exceptions.Fault as told:
        return told
    raise AssertionError("no fault")


history = zeep.plugins.HistoryPlugin()
addressed = zeep.Client(address + "?wsdl", plugins=[WsAddressingPlugin(), history]).bind("Store", port)
print("add", addressed.Add(a=40, b=2))
wsa = "{http://www.w3.org/2005/08/addressing}"
asked, told = history.last_sent["envelope"], history.last_received["envelope"]
print("relates", asked.findtext(f".//{wsa}MessageID") == told.findtext(f".//{wsa}RelatesTo"), told.findtext(f".//{wsa}Action"))
print("fault", fault(lambda: addressed.Buy(item="tea", count=4)).message)

session = requests.Session()
session.verify = False
session.trust_env = False
for name, password in [("alice", "secret"), ("alice", "wrong"), (None, None)]:
    wsse = UsernameToken(name, password) if name else None
    client = zeep.Client(secure + "?wsdl", transport=Transport(session=session), wsse=wsse).bind("Store", port)
    if password == "secret":
        print("over TLS", client.Add(a=1, b=2), client.WhoAmI())
    else:
        refused = fault(lambda: client.Add(a=1, b=2))
        print("refused", refused.code if version == "soap11" else refused.subcodes[0].localname, "/", refused.message)
