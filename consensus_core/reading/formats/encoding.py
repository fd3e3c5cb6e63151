"""From bytes to UTF-8: which encoding a text has, and why."""

from __future__ import annotations

import codecs

from ..wording import fault, shown
from .sniff import refuse_binary

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BLANK_IN_1252 = b"\x81\x8d\x8f\x90\x9d"


def as_utf8(file: str, data: bytes, chosen: str | None) -> tuple[bytes, str, str]:
    """(the same text in UTF-8 without byte order mark, the encoding it had, why)."""
    encoding, why = (chosen, "as chosen") if chosen else _guess(data)
    plain = codecs.lookup(encoding).name in ("utf-8", "ascii")
    if plain and data.isascii():
        text = data
    else:
        text = _recoded(file, data, encoding, keep=plain)
    text = text.removeprefix(codecs.BOM_UTF8)
    refuse_binary(file, text[:8192].decode("utf-8", "replace"))
    place = text.find(b"\0")
    if place >= 0:
        row = text.count(b"\n", 0, place) + 1
        raise fault(
            file, "a NUL byte stands there, so the file is damaged or no text", "export the table again", row=row
        )
    if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")  # line ends of old Macintosh programs
    return text, encoding, f"The encoding is {encoding}: {why}."


def _guess(data: bytes) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, "the file begins with its byte order mark"
    sample = data[:4096]
    zeros = sample[0::2].count(0), sample[1::2].count(0)
    if len(sample) >= 4 and max(zeros) > 0.4 * len(sample) / 2 and min(zeros) < 0.05 * len(sample):
        return ("utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"), "every other byte is zero"
    if data.isascii():
        return "utf-8", "there are only plain ASCII characters"
    try:
        data.decode("utf-8")
        return "utf-8", "it reads as UTF-8 throughout"
    except UnicodeDecodeError as trouble:
        row = data.count(b"\n", 0, trouble.start) + 1
        why = f"in row {row} there is a byte that UTF-8 does not allow"
        if any(byte in data for byte in _BLANK_IN_1252):
            return "latin-1", why
        return "cp1252", why


def _recoded(file: str, data: bytes, encoding: str, keep: bool) -> bytes:
    try:
        text = data.decode(encoding)
        return data if keep else text.encode("utf-8")
    except UnicodeDecodeError as trouble:
        row = data.count(b"\n", 0, trouble.start) + 1
        raise fault(
            file,
            f"the bytes {shown(data[trouble.start : trouble.start + 4].hex(' '))} are not {encoding}",
            "choose another encoding, or save the file as UTF-8",
            row=row,
        ) from None
    except (UnicodeError, ValueError, TypeError, LookupError):
        raise fault(file, f"the text is not {encoding}", "choose another encoding, or save the file as UTF-8") from None
