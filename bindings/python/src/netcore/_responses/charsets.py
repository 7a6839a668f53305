"""What labels of encodings stand for, as the C side and browsers read them (WHATWG Encoding, section 4.2)."""

from __future__ import annotations

import re
from typing import Dict, Tuple

_NAMES: Dict[str, str] = {
    "cp1252": "us-ascii ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 l1",
    "iso8859-2": "latin2",
    "iso8859-8": "iso-8859-8-i",
    "cp1254": "latin5 iso-8859-9 iso8859-9",
    "cp874": "iso-8859-11 tis-620 windows-874",
    "koi8-r": "koi8-r koi8",
    "koi8-u": "koi8-u",
    "cp866": "ibm866 cp866",
    "mac-roman": "macintosh",
    "cp932": "shift_jis shift-jis sjis windows-31j x-sjis",
    "euc-jp": "euc-jp x-euc-jp",
    "iso2022-jp": "iso-2022-jp",
    "gb18030": "gb18030 gbk x-gbk gb2312 gb_2312-80",
    "cp949": "euc-kr ks_c_5601-1987 windows-949",
    "big5hkscs": "big5 big5-hkscs x-x-big5",
    "utf-16-le": "utf-16 utf-16le",
    "utf-16-be": "utf-16be",
}
_ALIASES = {label: name for name, labels in _NAMES.items() for label in labels.split()}
_WINDOWS = re.compile(r"(?:windows-|x-cp|cp)(125[0-8])")
_ISO = re.compile(r"iso-?8859-([2-8]|10|13|14|15|16)")
_MARKS: Tuple[Tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\xff\xfe", "utf-16-le"),
)


def encoding_of(label: str) -> str:
    """The encoding that a label stands for, as Python knows it; UTF-8 for one that is not known."""
    label = label.lower()
    found = _ALIASES.get(label)
    if found is not None:
        return found
    windows = _WINDOWS.fullmatch(label)
    if windows:
        return f"cp{windows[1]}"
    iso = _ISO.fullmatch(label)
    return f"iso8859-{iso[1]}" if iso else "utf-8"


def decode(body: memoryview, encoding: str) -> str:
    """A body as text: by its byte order mark, else by an encoding. Bytes that do not decode become U+FFFD."""
    head = bytes(body[:3])
    for mark, name in _MARKS:
        if head.startswith(mark):
            return str(body[len(mark) :], name, "replace")
    return str(body, encoding, "replace")
