"""A sheet as a file: SVG with our own hands, PDF and PNG by matplotlib. Text is text in SVG and PDF."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path

import numpy as np

from ...data.exports import write_new
from ...errors import InputError
from ...text import html
from .marks import Dots, Image, Line, Marked, Rect, Text

FORMATS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
POINT = 25.4 / 72  # millimetres
MOST_DOTS = 20_000  # beyond which dots of an SVG are drawn as one path of squares


def save(sheet: Marked, path: str | Path) -> Path:
    """Writes a file that is not there yet, in the format its name ends with."""
    return write_new(path, written(sheet, Path(path).suffix[1:].lower()))


def written(sheet: Marked, how: str) -> bytes:
    """A sheet as the bytes of a file: one of FORMATS."""
    if how not in FORMATS:
        raise InputError(f"A figure is written as {', '.join(FORMATS)}, not as {how!r}.")
    return svg(sheet).encode() if how == "svg" else _by_matplotlib(sheet, how)


# --- SVG ------------------------------------------------------------------------------------------------------------


def svg(sheet: Marked) -> str:
    style, size = sheet.style, f'viewBox="0 0 {_n(sheet.width)} {_n(sheet.height)}"'
    font = f"'{html(style.font)}', 'DejaVu Sans', Arial, Helvetica, sans-serif"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(sheet.width)}mm" height="{_n(sheet.height)}mm" {size} '
        f'role="img" aria-label="{html(sheet.says)}" font-family="{font}">'
    )
    paper = f'<rect width="100%" height="100%" fill="{style.paper}"/>'
    return "".join([head, f"<title>{html(sheet.says)}</title>", paper, *map(_svg_mark, sheet.marks), "</svg>"])


def _svg_mark(mark) -> str:
    match mark:
        case Rect():
            box = f'x="{_n(mark.x)}" y="{_n(mark.y)}" width="{_n(mark.width)}" height="{_n(mark.height)}"'
            edge = f' stroke="{mark.stroke}" stroke-width="{_n(mark.line)}"' if mark.stroke != "none" else ""
            return f'<rect {box} fill="{mark.fill}"{edge}/>'
        case Line():
            dash = f' stroke-dasharray="{" ".join(map(_n, mark.dash))}"' if mark.dash else ""
            look = f'fill="none" stroke="{mark.stroke}" stroke-width="{_n(mark.line)}" stroke-linejoin="round"{dash}'
            return f'<path d="{_path(mark.points)}" {look}/>'
        case Text():
            return _svg_text(mark)
        case Image():
            box = f'x="{_n(mark.x)}" y="{_n(mark.y)}" width="{_n(mark.width)}" height="{_n(mark.height)}"'
            content = base64.b64encode(png(mark.pixels)).decode()
            return (
                f'<image {box} preserveAspectRatio="none" style="image-rendering:pixelated" '
                f'href="data:image/png;base64,{content}"/>'
            )
        case Dots():
            r = mark.radius
            if len(mark.places) > MOST_DOTS:
                corners = "".join(
                    f"M{_n(x - r)} {_n(y - r)}h{_n(2 * r)}v{_n(2 * r)}h{_n(-2 * r)}z" for x, y in mark.places
                )
                return f'<path d="{corners}" fill="{mark.fill}"/>'
            # a line without length and round ends is a dot: a tenth of the bytes of circles
            ends = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in mark.places)
            return f'<path d="{ends}" stroke="{mark.fill}" stroke-width="{_n(2 * r)}" stroke-linecap="round"/>'
    raise TypeError(mark)


def _svg_text(mark: Text) -> str:
    turned = f' transform="rotate({_n(mark.turned)} {_n(mark.x)} {_n(mark.y)})"' if mark.turned else ""
    look = ' font-weight="bold"' if mark.bold else ""
    look += ' font-style="italic"' if mark.italic else ""
    place = f'x="{_n(mark.x)}" y="{_n(mark.y)}" font-size="{_n(mark.size * POINT)}" text-anchor="{mark.anchor}"'
    return f'<text {place} fill="{mark.fill}"{look}{turned}>{html(mark.text)}</text>'


def _path(points: np.ndarray) -> str:
    told, down = [], False
    for x, y in points:
        if not (np.isfinite(x) and np.isfinite(y)):
            down = False
            continue
        told.append(f"{'L' if down else 'M'}{_n(x)} {_n(y)}")
        down = True
    return "".join(told)


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".") or "0"


def png(pixels: np.ndarray) -> bytes:
    """Bytes (rows, columns, 3) as a PNG."""
    rows, columns, _ = pixels.shape

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    lines = np.concatenate([np.zeros((rows, 1), np.uint8), pixels.reshape(rows, -1)], axis=1)
    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
        + chunk(b"IEND", b"")
    )


# --- PDF and PNG ----------------------------------------------------------------------------------------------------


def _by_matplotlib(sheet: Marked, how: str) -> bytes:
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.backends.backend_pdf import FigureCanvasPdf
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            f"A {how.upper()} needs matplotlib: python -m pip install 'quorum-consensus[figures]' brings it. SVG "
            "does without."
        ) from None
    style = sheet.style
    family = [style.font, "DejaVu Sans"]
    # fonts go into the file as they are (42), so that text stays text; no mathematics is read in names
    with matplotlib.rc_context({"pdf.fonttype": 42, "font.family": family, "text.parse_math": False}):
        figure = Figure(figsize=(sheet.width / 25.4, sheet.height / 25.4), facecolor=style.paper)
        (FigureCanvasPdf if how == "pdf" else FigureCanvasAgg)(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, sheet.width), ylim=(sheet.height, 0))
        axes.axis("off")
        for place, mark in enumerate(sheet.marks):
            _matplotlib_mark(axes, mark, place)
        out = io.BytesIO()
        about = {"Title": sheet.says} if how == "pdf" else {"Title": sheet.says, "Software": "Quorum"}
        figure.savefig(out, format=how, dpi=style.dpi, metadata=about)
    return out.getvalue()


def _matplotlib_mark(axes, mark, place: int) -> None:
    from matplotlib.patches import Rectangle

    match mark:
        case Rect():
            look = {"facecolor": mark.fill, "edgecolor": mark.stroke, "linewidth": mark.line / POINT}
            axes.add_patch(Rectangle((mark.x, mark.y), mark.width, mark.height, zorder=place, **look))
        case Line():
            dash = (0, tuple(part / mark.line for part in mark.dash)) if mark.dash else "-"
            x, y = mark.points.T
            axes.plot(x, y, color=mark.stroke, linewidth=mark.line / POINT, linestyle=dash, zorder=place)
        case Text():
            across = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
            axes.text(
                mark.x, mark.y, mark.text, fontsize=mark.size, ha=across, va="baseline", rotation=-mark.turned,
                rotation_mode="anchor", color=mark.fill, zorder=place, weight="bold" if mark.bold else "normal",
                style="italic" if mark.italic else "normal",
            )  # fmt: skip
        case Image():
            box = (mark.x, mark.x + mark.width, mark.y + mark.height, mark.y)
            axes.imshow(mark.pixels, extent=box, interpolation="nearest", aspect="auto", zorder=place)
        case Dots():
            x, y = mark.places.T
            size = (2 * mark.radius / POINT) ** 2
            axes.scatter(x, y, s=size, c=mark.fill, linewidths=0, zorder=place)
