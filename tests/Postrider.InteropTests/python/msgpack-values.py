"""MessagePack by Debian's python3-msgpack: prints the bytes it writes for each value of MessagePackBytesTests, and what it reads."""
import json
import sys
from datetime import datetime, timedelta, timezone

import msgpack

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def moment(*parts, milliseconds=0):
    whole = datetime(*parts, tzinfo=timezone.utc) - EPOCH
    return msgpack.Timestamp(whole.days * 86400 + whole.seconds, milliseconds * 1_000_000)


VALUES = {
    "nil": None,
    "true": True,
    "zero": 0,
    "small": 127,
    "byte": 200,
    "short": 40000,
    "int": 3000000000,
    "negative": -1,
    "negativeByte": -100,
    "negativeShort": -30000,
    "negativeInt": -2000000000,
    "long": 9007199254740993,
    "negativeLong": -9007199254740993,
    "double": 1.5,
    "empty": "",
    "text": "Grüße, 世界 🚀",
    "text31": "a" * 31,
    "text32": "a" * 32,
    "text300": "ä" * 300,
    "bytes": bytes([0, 1, 255]),
    "bytes300": bytes([7]) * 300,
    "list": ["a", "b", "c"],
    "list20": [str(i) for i in range(20)],
    "map": {"one": "1", "two": "2"},
    "seconds": moment(2026, 1, 2, 3, 4, 5),
    "milliseconds": moment(2026, 1, 2, 3, 4, 5, milliseconds=678),
    "beyond": moment(2600, 1, 1),
    "order": ["tea", 2, 1.25, ["a", "b"], None],
}


def show(value):
    """A value as text that tells apart what JSON does not, as node/msgpack.mjs shows it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, msgpack.Timestamp):
        at = EPOCH + timedelta(seconds=value.seconds)
        return f"date {at:%Y-%m-%dT%H:%M:%S}.{value.nanoseconds // 1_000_000:03}Z"
    if isinstance(value, bytes):
        return f"bytes {value.hex()}"
    if isinstance(value, list):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {show(one)}' for key, one in value.items())}}}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


sys.stdout.reconfigure(encoding="utf-8")
if sys.argv[1] == "write":
    for name, value in VALUES.items():
        print(name, msgpack.packb(value).hex())
else:
    for text in sys.argv[2:]:
        print(show(msgpack.unpackb(bytes.fromhex(text))))
