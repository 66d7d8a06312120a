#!/usr/bin/env python3
"""Computes the golden vectors of Idem's canonical form, keys and hashes.

This program shares no code with the Rust crate: two programs that agree are better evidence than
one. It needs the standard library only.

    make_vectors.py           writes vectors.json and calls.json beside itself
    make_vectors.py --check   recomputes them and compares; exit status 1 when one differs

A vector that has been released never changes. New ones are added at the end of their list.
"""

import hashlib
import json
import pathlib
import sys
import uuid
from decimal import Decimal

import calls

VECTORS = pathlib.Path(__file__).with_name("vectors.json")
CALLS = pathlib.Path(__file__).with_name("calls.json")

# --- the canonical form (RFC 8785, integers exact) ------------------------------------------------


def ecmascript(value: float) -> str:
    """Number::toString of ECMA-262, from the shortest digits that repr() finds."""
    if value == 0:
        return "0"
    if value < 0:
        return "-" + ecmascript(-value)
    _, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + exponent  # the value is 0.text times ten to the power of point
    size = len(text)
    if size <= point <= 21:
        return text + "0" * (point - size)
    if 0 < point <= 21:
        return text[:point] + "." + text[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + text
    mantissa = text if size == 1 else text[0] + "." + text[1:]
    return f"{mantissa}e{point - 1:+d}"


class Number(str):
    """A number's canonical text."""


def integer_token(token: str) -> Number:
    return Number(int(token))


def decimal_token(token: str) -> Number:
    exact = Decimal(token)
    if exact == exact.to_integral_value() and abs(exact) < 10**21:
        return Number(int(exact))
    return Number(ecmascript(float(token)))


STRING_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def quoted(text: str) -> str:
    out = []
    for character in text:
        if character in STRING_ESCAPES:
            out.append(STRING_ESCAPES[character])
        elif character < " ":
            out.append(f"\\u{ord(character):04x}")
        else:
            out.append(character)
    return '"' + "".join(out) + '"'


def canonical(value) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    # Big-endian UTF-16 compares byte by byte as its code units do.
    members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
    return "{" + ",".join(quoted(name) + ":" + canonical(inner) for name, inner in members) + "}"


def canonical_of(text: str) -> str:
    return canonical(json.loads(text, parse_int=integer_token, parse_float=decimal_token))


# --- identities -----------------------------------------------------------------------------------


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def numbered_turn(run: str, number: int) -> str:
    return f"r:{run}:{number}"


def message_turn(ids: list) -> str:
    unique = sorted(set(ids), key=lambda message: message.encode())
    return "m:" + sha256("\n".join(unique))


def key_vector(kind: str, parts: dict, tool: str, arguments: str) -> dict:
    """`arguments` is the text a model wrote; the key takes its canonical form."""
    lines = ["k1", kind]
    if kind == "count" and parts["ordinal"] == 1:
        lines[1] = "turn"
    if kind != "natural":
        lines.append(parts["turn"])
    if kind == "read":
        lines.append(str(parts["step"]))
    if kind == "count" and parts["ordinal"] > 1:
        lines.append(str(parts["ordinal"]))
    if kind == "intent":
        lines.append(parts["intent"])
    lines += [tool, "{}" if kind == "intent" else canonical_of(arguments)]
    run = {"run": parts["run"], "number": parts["number"]} if "run" in parts else {}
    named = {name: part for name, part in parts.items() if name in ("messages", "step", "ordinal", "intent")}
    text = "\n".join(lines)
    return {"kind": kind, **run, **named, "tool": tool, "arguments": arguments, "text": text, "key": sha256(text)}


def vendor_vector(organization: str, scope: str, key: str, epoch: int) -> dict:
    digest = sha256("\n".join(["v1", organization, scope, key, str(epoch)]))
    shaped = bytearray.fromhex(digest)[:16]
    shaped[6] = shaped[6] & 0x0F | 0x80
    shaped[8] = shaped[8] & 0x3F | 0x80
    return {
        "organization": organization,
        "scope": scope,
        "key": key,
        "epoch": epoch,
        "vendor_key": digest,
        "uuid": str(uuid.UUID(bytes=bytes(shaped))),
    }


# --- the vectors ----------------------------------------------------------------------------------

TEXTS = [
    "null",
    "true",
    " false ",
    "[]",
    "{}",
    '""',
    # Spellings of one number.
    "1",
    "1.0",
    "1e0",
    "10E-1",
    "0.10",
    "-0",
    "-0.0",
    "0e99999",
    "100000000000000000000",
    "1e20",
    "1e21",
    "1E+30",
    "-1.5e3",
    "123.456",
    # Integers that doubles would merge.
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "18446744073709551615",
    "18446744073709551616",
    "12345678901234567890.0",
    "340282366920938463463374607431768211456",
    "-170141183460469231731687303715884105729",
    # The edges of doubles.
    "0.1",
    "0.000001",
    "1e-7",
    "5e-324",
    "1e-400",
    "1.7976931348623157e308",
    "333333333.33333329",
    "4.50",
    "2e-3",
    "0.000000000000000000000000001",
    "1152921504606846976.5",
    "0.30000000000000004",
    "-2.2250738585072014e-308",
    # Strings.
    '"\\u0000\\u001f\\u007f"',
    '"\\b\\t\\n\\f\\r\\"\\\\\\/"',
    '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"',
    '"\\ud83d\\ude00"',
    '"\u00e9 e\u0301 \u2028"',
    # Keys.
    '{"b":1,"a":{"d":2,"c":3}}',
    '{"a":{"c":3,"d":2},"b":1}',
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh",'
    '"1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control",'
    '"\\u00f6":"Latin Small Letter O With Diaeresis"}',
    '{"":0,"aa":1,"a":2,"A":3,"a\\u0000":4}',
    '{ "to" : "ann@example.test" ,\n\t"amount" : 1.50 }',
    '[56,{"d":true,"10":null,"1":[]},[[],{}]]',
]

TURN = {"run": "run-7", "number": 3, "turn": numbered_turn("run-7", 3)}
COLON = {"run": "a:1", "number": 2, "turn": numbered_turn("a:1", 2)}
MESSAGES = {"messages": ["m-2", "m-10", "m-2"], "turn": message_turn(["m-2", "m-10", "m-2"])}
SEND = '{"to":"ann@example.test","template":"welcome"}'
ORGANIZATION = "018f4e3a-7b1c-7c3d-9e2f-0123456789ab"


def vectors() -> dict:
    keys = [
        key_vector("turn", TURN, "send_email", SEND),
        key_vector("turn", TURN, "send_email", "{}"),
        key_vector("turn", COLON, "send_email", SEND),
        key_vector("turn", MESSAGES, "send_email", SEND),
        key_vector("natural", {}, "publish", '{"revision":12,"resource":"page-1"}'),
        key_vector("read", {**TURN, "step": 0}, "get_order", '{"id":9007199254740993}'),
        key_vector("read", {**TURN, "step": 4}, "get_order", '{"id":9007199254740993}'),
        key_vector("count", {**TURN, "ordinal": 1}, "send_email", SEND),
        key_vector("count", {**TURN, "ordinal": 2}, "send_email", SEND),
        key_vector("intent", {**TURN, "intent": "the second reminder"}, "send_email", SEND),
        key_vector("intent", {**MESSAGES, "intent": "Erinnerung für Zoë"}, "send_email", "{}"),
    ]
    requests = [SEND, "{}", '{"amount":1.50}', '{"amount":1.5}', '{"note":"a\\nb"}']
    return {
        "canonical": [{"text": text, "canonical": canonical_of(text)} for text in TEXTS],
        "keys": keys,
        "requests": [
            {"arguments": text, "hash": sha256("h1\n" + canonical_of(text))} for text in requests
        ],
        "free_text": [{"text": text, "key": sha256("b1\n" + text)} for text in ["delivery-1", "", "a\nb"]],
        "vendor_keys": [
            vendor_vector(ORGANIZATION, "tool.email.send", keys[0]["key"], 0),
            vendor_vector(ORGANIZATION, "tool.email.send", keys[0]["key"], 1),
            vendor_vector(ORGANIZATION, "webhook.nylas", keys[3]["key"], 4294967295),
        ],
    }


class Form:
    """What `calls.py` needs of the canonical form."""

    quoted = staticmethod(quoted)
    double = staticmethod(ecmascript)
    sha256 = staticmethod(sha256)

    @staticmethod
    def number(token: str) -> str:
        return decimal_token(token) if "." in token else integer_token(token)

    @staticmethod
    def members(texts: dict) -> str:
        kept = [(name, text) for name, text in texts.items() if text is not None]
        kept.sort(key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(quoted(name) + ":" + text for name, text in kept) + "}"


def files() -> dict:
    run = {"run": TURN["run"], "number": TURN["number"]}
    return {VECTORS: vectors(), CALLS: calls.vectors(Form, run, TURN["turn"])}


def main() -> int:
    status = 0
    for path, content in files().items():
        text = json.dumps(content, indent=2, ensure_ascii=True) + "\n"
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="ascii")
        elif path.read_text(encoding="ascii") != text:
            print(f"{path.name} is not what this program computes", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
