"""Random calls of one input type with everything in it, and near misses of one call.

It knows the type of `tests/identity/trip.rs` by its table below, and computes each call's canonical
texts from the values, never from what the Rust crate wrote. `make_vectors.py` writes `calls.json`.
"""

import unicodedata
from decimal import Decimal

MASK = (1 << 64) - 1

# The characters with the property White_Space, from Unicode's PropList.txt.
WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


class Chance:
    """xorshift64*, so that every version of Python makes the same calls."""

    def __init__(self, seed: int):
        self.state = seed

    def below(self, bound: int) -> int:
        self.state ^= self.state >> 12
        self.state = (self.state ^ self.state << 25) & MASK
        self.state ^= self.state >> 27
        return ((self.state * 0x2545F4914F6CDD1D & MASK) >> 11) % bound

    def one(self, options):
        return options[self.below(len(options))]

    def bits(self, count: int) -> int:
        return sum(self.below(256) << (8 * at) for at in range((count + 7) // 8)) & ((1 << count) - 1)


# --- policies (R23) -------------------------------------------------------------------------------


def lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def trim(text: str) -> str:
    return text.strip(WHITE_SPACE)


def encoded(text: str, escaped: str) -> str:
    def one(byte: int) -> str:
        plain = 0x20 < byte < 0x7F and chr(byte) not in escaped
        return chr(byte) if plain else f"%{byte:02X}"

    return "".join(map(one, text.encode()))


def url(text: str) -> str:
    """The WHATWG URL parser, for http and https without credentials: what the calls below hold."""
    text = "".join(character for character in text.strip("".join(map(chr, range(0x21)))) if character not in "\t\n\r")
    scheme, rest = text.split(":", 1)
    scheme = scheme.lower()
    rest, _, fragment = rest.partition("#")
    rest, _, query = rest.partition("?")
    rest = rest.replace("\\", "/").lstrip("/")
    authority, _, path = rest.partition("/")
    host, _, port = authority.partition(":")
    host = host.encode("idna").decode().lower()
    if port and int(port) != {"http": 80, "https": 443}[scheme]:
        host += f":{int(port)}"
    segments = []
    steps = path.split("/")
    for at, step in enumerate(steps):
        last = at == len(steps) - 1
        if step.lower() in ("..", ".%2e", "%2e.", "%2e%2e"):
            segments = segments[:-1]
            step = "" if last else None
        elif step.lower() in (".", "%2e"):
            step = "" if last else None
        if step is not None:
            segments.append(encoded(step, '"#<>?`{}'))
    out = f"{scheme}://{host}/" + "/".join(segments)
    if "?" in text.partition("#")[0]:
        out += "?" + encoded(query, "\"#<>'")
    if "#" in text:
        out += "#" + encoded(fragment, '"<>`')
    return out


# In the order in which they are applied; `nfc` once more behind `lowercase`.
ORDER = [("lf", lf), ("nfc", nfc), ("lowercase", str.lower), ("trim", trim), ("url", url)]


def written(text: str, policies) -> str:
    for name, write in ORDER:
        if name in policies:
            text = write(text)
            if name == "lowercase" and "nfc" in policies:
                text = nfc(text)
    return text


# Texts on which each set of policies is tried by itself.
POLICY_TEXTS = [
    (["lf"], "a\r\nb\rc\n\r\nd\r\r\n"),
    (["lf"], "\x0b\x0c\x85\u2028"),
    (["trim"], " \t\r\n a  b \xa0\u3000\x85"),
    (["trim"], "\u200ba\ufeff\x1c\x1f"),
    (["trim"], "\u2028 \u1680"),
    (["lowercase"], "\u00c0\u00c9\u00df I STRASSE \u0130"),
    (["lowercase"], "\u039f\u0394\u039f\u03a3 \u03a3\u0391 \u0391\u03a3."),
    (["lowercase"], "\u1e9e \u01c5 \u2126 \U00010400"),
    (["nfc"], "e\u0301 \u212b \ufb01 \u2460 \u1112\u1161\u11ab"),
    (["nfc"], "a\u0323\u0307 a\u0307\u0323 \u0344 \u0958"),
    (["lowercase", "nfc"], "H\u0331 E\u0301 I\u0307"),
    (["trim", "lowercase", "nfc", "lf"], " A\u030a\r\nB\r "),
    (["url"], "  HTTPS://Example.TEST:443/a/./b/../c%7E?q=\u00e9 '\"#x y\n"),
    (["url"], "http:\\\\b\u00fccher.example:8080\\x\\..\\..\\"),
    (["url"], "ht\ttp://a.test?b&a"),
    (["trim", "url"], "\u3000https://a.test/%2E%2e/A#\u2003"),
    (["nfc", "url"], "https://a.test/e\u0301"),
]

# --- how a model may spell a value ----------------------------------------------------------------


def quoted_freely(chance: Chance, text: str) -> str:
    out = []
    for character in text:
        code = ord(character)
        if character in '"\\' or code < 0x20 or chance.below(8) == 0:
            units = character.encode("utf-16-be")
            for at in range(0, len(units), 2):
                unit = f"\\u{units[at]:02x}{units[at + 1]:02x}"
                out.append("\\u" + unit[2:].upper() if chance.below(2) else unit)
        elif character == "/" and chance.below(2):
            out.append("\\/")
        else:
            out.append(character)
    return '"' + "".join(out) + '"'


def blank(chance: Chance) -> str:
    return chance.one(["", "", "", " ", "\n", "\t", "\r\n  "])


def joined(chance: Chance, parts, ends: str) -> str:
    inside = ",".join(blank(chance) + part + blank(chance) for part in parts)
    return ends[0] + (inside or blank(chance)) + ends[1]


def shuffled(chance: Chance, items) -> list:
    items = list(items)
    for at in range(len(items) - 1, 0, -1):
        other = chance.below(at + 1)
        items[at], items[other] = items[other], items[at]
    return items


# --- types: a random value, one of its spellings, its canonical text --------------------------------

ALPHABET = "abcxyzABCXYZ0189 _-./\\\"'<>&\u00e9\u00c9\u00df\u00d6\u4e2d\U0001f600\u2028\x7f"
MARKED = ["e\u0301", "A\u030a", "H\u0331", "o\u0308", "\u03a3", "\u212b"]


class Text:
    def __init__(self, *policies):
        self.policies = policies

    def value(self, chance):
        text = "".join(chance.one(ALPHABET) for _ in range(chance.below(8)))
        return chance.one(["", " ", "\r\n", "\t\u3000", "\r"]) + text + chance.one(MARKED + [""] * 6) + chance.one(["", " "])

    def spell(self, chance, value):
        return quoted_freely(chance, value)

    def plain(self, value):
        return written(value, self.policies)

    def text(self, value, form):
        return form.quoted(self.plain(value))


class Address(Text):
    """Text that is a URL."""

    def value(self, chance):
        scheme = chance.one(["http", "https", "HTTP", "Https"])
        host = chance.one(["a.test", "A.Test", "b\u00fccher.example", "x-1.example"])
        port = chance.one(["", "", ":80", ":443", ":8080", ":0443"])
        path = chance.one(["", "/"]) + "".join(chance.one(["a", "B/", ".", "../", "./x", "\u00e9", " y", "%7e", "/", "''"]) for _ in range(chance.below(5)))
        if path and not path.startswith("/"):
            path = "/" + path
        tail = chance.one(["", "?", "?q=1 2", "?b&a", "?\u00e9'", "#", "#x y", "?a#b"])
        return chance.one(["", " "]) + scheme + "://" + host + port + path + tail


class Whole:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def value(self, chance):
        if chance.below(3):
            return max(self.low, min(self.high, chance.below(300) - 100))
        return self.low + chance.bits(128) % (self.high - self.low + 1)

    def spell(self, chance, value):
        if abs(value) < 10**15:
            return chance.one([str(value), str(value), f"{value}.0", f"{value}e0", f"{value}.00E+0", f"{value}0e-1" if value else "-0"])
        return str(value)

    def text(self, value, form):
        return str(value)


class Double:
    def value(self, chance):
        return chance.one([float(chance.below(1000) - 500), chance.below(10**9) / 1000, chance.bits(60) * 10.0 ** (chance.below(40) - 30), -0.0])

    def spell(self, chance, value):
        shortest = repr(value)
        longer = shortest.replace("e", "0e") if "." in shortest and "e" in shortest else shortest
        return chance.one([shortest, longer, shortest.replace("e", "E"), f"{Decimal(shortest):E}".replace("E+", "e+")])

    def text(self, value, form):
        return form.double(value)


class Truth:
    def value(self, chance):
        return bool(chance.below(2))

    def spell(self, chance, value):
        return "true" if value else "false"

    def text(self, value, form):
        return "true" if value else "false"


class Letter(Text):
    def value(self, chance):
        return chance.one(ALPHABET)


class Amount:
    def value(self, chance):
        digits = chance.one([3, 6, 12, 20, 27])
        return Decimal(chance.bits(90) % 10**digits).scaleb(-chance.below(min(digits, 9)))

    def spell(self, chance, value):
        plain = f"{value:f}"
        longer = plain + "0" if "." in plain else plain + ".0"
        # A JSON number with a fraction is a double, which holds 15 digits.
        if len(value.as_tuple().digits) <= 12 and chance.below(2):
            return chance.one([plain, longer])
        return '"' + chance.one([plain, longer]) + '"'

    def text(self, value, form):
        plain = f"{value:f}"
        if "." in plain:
            plain = plain.rstrip("0").rstrip(".")
        number = form.number(plain)
        return number if Decimal(number) == value else form.quoted(plain)


class Id:
    def value(self, chance):
        return f"{chance.bits(128):032x}"

    def spell(self, chance, value):
        parts = [value[:8], value[8:12], value[12:16], value[16:20], value[20:]]
        spelling = chance.one(["-".join(parts), value, "urn:uuid:" + "-".join(parts)])
        if not spelling.startswith("urn") and chance.below(2):
            spelling = spelling.upper()
        return f'"{spelling}"'

    def text(self, value, form):
        return f'"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]}"'


def day_of(chance):
    return f"{1900 + chance.below(300)}-{1 + chance.below(12):02}-{1 + chance.below(28):02}"


def time_of(chance):
    fraction = chance.one(["", "", "5", "25", "000001", "123456789"])
    return f"{chance.below(24):02}:{chance.below(60):02}:{chance.below(60):02}", fraction


class Day:
    def value(self, chance):
        return day_of(chance)

    def spell(self, chance, value):
        return quoted_freely(chance, value)

    def text(self, value, form):
        return f'"{value}"'


class Clock:
    def value(self, chance):
        return time_of(chance)

    def spell(self, chance, value):
        time, fraction = value
        options = [time + ("." + fraction if fraction else "")]
        if fraction and len(fraction) < 9:
            options.append(f"{time}.{fraction}0")
        if not fraction:
            options += [time + ".0"] + ([time[:5]] if time.endswith(":00") else [])
        return f'"{chance.one(options)}"'

    def text(self, value, form):
        time, fraction = value
        return f'"{time}{"." + fraction if fraction else ""}"'


class Instant:
    def value(self, chance):
        return day_of(chance), *time_of(chance), chance.one(["Z", "Z", "+02:00", "-00:30"])

    def spell(self, chance, value):
        day, time, fraction, offset = value
        fraction = chance.one([fraction, fraction + "0"]) if fraction and len(fraction) < 9 else fraction
        fraction = "." + fraction if fraction else chance.one(["", ".0"])
        offset = chance.one(["Z", "z", "+00:00"]) if offset == "Z" else offset
        return f'"{day}{chance.one("Tt")}{time}{fraction}{offset}"'

    def text(self, value, form):
        day, time, fraction, offset = value
        return f'"{day}T{time}{"." + fraction if fraction else ""}{offset}"'


class Maybe:
    """None is left out or null."""

    def __init__(self, inner):
        self.inner = inner

    def value(self, chance):
        return None if chance.below(3) == 0 else self.inner.value(chance)

    def spell(self, chance, value):
        return None if value is None and chance.below(2) else "null" if value is None else self.inner.spell(chance, value)

    def text(self, value, form):
        return None if value is None else self.inner.text(value, form)


class Patched(Maybe):
    """Missing, null and a value are three."""

    def value(self, chance):
        return chance.one([("missing",), ("null",), ("value", self.inner.value(chance))])

    def spell(self, chance, value):
        return {"missing": None, "null": "null"}.get(value[0]) if value[0] != "value" else self.inner.spell(chance, value[1])

    def text(self, value, form):
        return {"missing": None, "null": "null"}.get(value[0]) if value[0] != "value" else self.inner.text(value[1], form)


class Defaulted:
    def __init__(self, inner, default):
        self.inner, self.default = inner, default

    def value(self, chance):
        return self.default if chance.below(2) else self.inner.value(chance)

    def spell(self, chance, value):
        return None if value == self.default and chance.below(2) else self.inner.spell(chance, value)

    def text(self, value, form):
        text = self.inner.text(value, form)
        return None if text == self.inner.text(self.default, form) else text


class Many:
    def __init__(self, inner):
        self.inner = inner

    def value(self, chance):
        return [self.inner.value(chance) for _ in range(chance.below(4))]

    def spell(self, chance, value):
        return joined(chance, [self.inner.spell(chance, item) for item in value], "[]")

    def text(self, value, form):
        return "[" + ",".join(self.inner.text(item, form) for item in value) + "]"


class OrderedSet(Many):
    """Of texts, in the order of their bytes."""

    def spell(self, chance, value):
        again = value + value[:1] if chance.below(2) else value
        return super().spell(chance, shuffled(chance, again))

    def text(self, value, form):
        plain = sorted({self.inner.plain(item) for item in value}, key=str.encode)
        return "[" + ",".join(map(form.quoted, plain)) + "]"


class Unordered(OrderedSet):
    """In the order of the texts of its elements."""

    def text(self, value, form):
        return "[" + ",".join(sorted({self.inner.text(item, form) for item in value}, key=lambda text: text.encode("utf-16-be"))) + "]"


class Entries:
    def __init__(self, inner):
        self.inner = inner

    def value(self, chance):
        return {Text().value(chance): self.inner.value(chance) for _ in range(chance.below(4))}

    def spell(self, chance, value):
        members = [f"{quoted_freely(chance, name)}:{blank(chance)}{self.inner.spell(chance, inner)}" for name, inner in shuffled(chance, value.items())]
        return joined(chance, members, "{}")

    def text(self, value, form):
        return form.members({name: self.inner.text(inner, form) for name, inner in value.items()})


class Pair:
    def __init__(self, *parts):
        self.parts = parts

    def value(self, chance):
        return [part.value(chance) for part in self.parts]

    def spell(self, chance, value):
        return joined(chance, [part.spell(chance, inner) for part, inner in zip(self.parts, value)], "[]")

    def text(self, value, form):
        return "[" + ",".join(part.text(inner, form) for part, inner in zip(self.parts, value)) + "]"


class Record:
    """Named fields; `prose` is in no text."""

    def __init__(self, prose=(), **fields):
        self.prose, self.fields = prose, fields

    def value(self, chance):
        return {name: field.value(chance) for name, field in self.fields.items()}

    def spell(self, chance, value):
        spelled = {name: field.spell(chance, value[name]) for name, field in self.fields.items()}
        return self.written(chance, spelled)

    def written(self, chance, spelled):
        members = [f'{quoted_freely(chance, name)}{blank(chance)}:{blank(chance)}{text}' for name, text in spelled.items() if text is not None]
        return joined(chance, shuffled(chance, members), "{}")

    def text(self, value, form, named=None):
        kept = [name for name in self.fields if name not in self.prose and (named is None or name in named)]
        return form.members({name: self.fields[name].text(value[name], form) for name in kept})


class Choice:
    """One of several variants; one without a content is its name."""

    def __init__(self, **variants):
        self.variants = variants

    def value(self, chance):
        name = chance.one(list(self.variants))
        inner = self.variants[name]
        return name, inner and inner.value(chance)

    def spell(self, chance, value):
        name, inner = value
        kind = self.variants[name]
        return quoted_freely(chance, name) if kind is None else joined(chance, [f'"{name}":{kind.spell(chance, inner)}'], "{}")

    def text(self, value, form):
        name, inner = value
        kind = self.variants[name]
        return form.quoted(name) if kind is None else form.members({name: kind.text(inner, form)})


class Free:
    """Any JSON at all; a number is kept beyond what a double holds."""

    def value(self, chance, depth=2):
        kind = chance.below(7 if depth else 5)
        if kind == 5:
            return [self.value(chance, depth - 1) for _ in range(chance.below(3))]
        if kind == 6:
            return {Text().value(chance): self.value(chance, depth - 1) for _ in range(chance.below(3))}
        return [None, True, 10**chance.below(40) + chance.below(9), chance.below(999) / 8, Text().value(chance)][kind]

    def of(self, value):
        if value is None or isinstance(value, bool):
            return Truth() if value is not None else None
        return {int: Whole(0, 0), float: Double(), str: Text(), list: Many(self), dict: Entries(self)}[type(value)]

    def spell(self, chance, value):
        return "null" if value is None else self.of(value).spell(chance, value)

    def text(self, value, form):
        return "null" if value is None else self.of(value).text(value, form)


class Level(Whole):
    """A foreign type whose form a function names."""

    def text(self, value, form):
        return f'"level {value}"'


LINE = Record(
    prose=("remark",),
    sku=Text("trim", "lowercase"),
    count=Defaulted(Whole(0, 2**32 - 1), 1),
    weight=Maybe(Double()),
    remark=Maybe(Text()),
)
TRIP = Record(
    prose=("note",),
    email=Text("trim", "lowercase"),
    body=Text("lf"),
    city=Text("nfc", "lowercase"),
    link=Maybe(Address("trim", "url")),
    tags=OrderedSet(Text("trim")),
    account=Text(),
    flag=Truth(),
    letter=Letter(),
    small=Whole(0, 255),
    wide=Whole(-(2**63), 2**63 - 1),
    huge=Whole(0, 2**128 - 1),
    deep=Whole(-(2**127), 2**127 - 1),
    rate=Double(),
    price=Amount(),
    id=Id(),
    day=Day(),
    opens=Maybe(Clock()),
    at=Instant(),
    lines=Many(LINE),
    target=Choice(Everyone=None, Person=Text("trim"), Room=Record(name=Text("lowercase"), floor=Whole(-(2**31), 2**31 - 1))),
    labels=Entries(Text("trim")),
    headers=Entries(Many(Whole(0, 255))),
    numbers=Unordered(Whole(-(2**15), 2**15 - 1)),
    pair=Pair(Text("trim"), Truth()),
    change=Patched(Whole(-(2**31), 2**31 - 1)),
    copies=Defaulted(Whole(0, 2**16 - 1), 0),
    mode=Defaulted(Text("trim", "lowercase"), " Usual "),
    free=Free(),
    home=Maybe(Address("url")),
    level=Level(0, 255),
    note=Text(),
)

# The tools that take it, with the arguments that are identity.
TOOLS = {
    "plan_trip": ("turn", None),
    "book_trip": ("turn", ["email", "city", "link", "target", "lines", "price", "day", "mode"]),
    "publish_trip": ("natural", ["id", "small"]),
}


def call(form, tool: str, turn: str, value) -> dict:
    """The key and the request hash of one call."""
    kind, named = TOOLS[tool]
    lines = ["k1", kind] + ([turn] if kind == "turn" else [])
    lines += [tool, TRIP.text(value, form, named)]
    return {"key": form.sha256("\n".join(lines)), "hash": form.sha256("h1\n" + TRIP.text(value, form))}


def random_calls(form, turn: str, count: int) -> list:
    chance, calls = Chance(20_260_301), []
    for at in range(count):
        tool = list(TOOLS)[at % len(TOOLS)]
        value = TRIP.value(chance)
        calls.append({"tool": tool, "arguments": TRIP.spell(chance, value), **call(form, tool, turn, value)})
    return calls


def near_misses(form, turn: str, count: int) -> dict:
    """One call, and others that differ from it in one field each, every field in turn; a value of None is left out."""
    chance, tool = Chance(7), "plan_trip"
    base = TRIP.value(chance)
    # What may be left out, is left out or its default: a model may write it all the same.
    base.update(copies=0, mode=" Usual ", link=None, opens=None, change=("missing",), body="Dear Ann,\n\nyes.\n")
    base["lines"] = [{**LINE.value(chance), "count": 1, "remark": words} for words in ("red", None)]
    first = call(form, tool, turn, base)
    seen, near, names = {first["key"]}, [], [name for name in TRIP.fields if name not in TRIP.prose]
    while len(near) < count:
        name = names[len(near) % len(names)]
        kind = TRIP.fields[name]
        for _ in range(200):
            value = kind.value(chance)
            key = call(form, tool, turn, {**base, name: value})["key"]
            if key not in seen:
                break
        else:
            # A field of few values has none left.
            names.remove(name)
            continue
        seen.add(key)
        near.append({"field": name, "value": kind.spell(chance, value), "key": key})
    return {"tool": tool, "arguments": TRIP.spell(chance, base), **first, "near": near}


def vectors(form, run: dict, turn: str) -> dict:
    return {
        **run,
        "policies": [{"policies": policies, "text": text, "written": written(text, policies)} for policies, text in POLICY_TEXTS],
        "calls": random_calls(form, turn, 200),
        "near_misses": near_misses(form, turn, 1000),
    }
