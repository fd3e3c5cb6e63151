"""How all figures of a paper look: chosen once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ..palettes import CLUSTERS, DIVERGING, SEQUENTIAL

# each rises in lightness from end to end, and stays apart for colour-blind eyes
PALETTES = {
    "cividis": SEQUENTIAL,
    "viridis": ("#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b",
                "#fde725"),
    "blues": ("#08306b", "#08519c", "#2171b5", "#4292c6", "#6baed6", "#9ecae1", "#c6dbef", "#deebf7", "#f7fbff"),
    "greys": ("#000000", "#ffffff"),
}  # fmt: skip
# of clusters: ours, that of Okabe and Ito (2008), and Tol's muted (2021)
CLUSTER_COLOURS = {
    "quorum": CLUSTERS,
    "okabe-ito": ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#000000"),
    "tol": ("#332288", "#88ccee", "#44aa99", "#117733", "#999933", "#ddcc77", "#cc6677", "#882255", "#aa4499"),
}
SMALLEST, LARGEST = 20.0, 1000.0  # millimetres
NOTHING = "#d9dbe0"  # no label, no value


@dataclass(frozen=True)
class Style:
    width: float = 85.0  # millimetres: a column of most journals; 174 is two
    height: float | None = None  # as the figure wants
    font: str = "DejaVu Sans"
    size: float = 7.0  # points
    dpi: int = 300  # of a PNG
    palette: str = "cividis"  # of numbers, one of PALETTES
    clusters: str = "okabe-ito"  # one of CLUSTER_COLOURS; "quorum": as on the screen
    reverse: bool = False  # the darkest colour for the greatest value
    ink: str = "#1c2230"
    paper: str = "#ffffff"
    own: tuple[tuple[int, str], ...] = ()  # clusters that a person gave a colour

    def __post_init__(self):
        for name, low, high in (("width", SMALLEST, LARGEST), ("size", 3.0, 40.0), ("dpi", 30, 2400)):
            _within(name, getattr(self, name), low, high)
        if self.height is not None:
            _within("height", self.height, SMALLEST, LARGEST)
        for name, known in (("palette", PALETTES), ("clusters", CLUSTER_COLOURS)):
            if getattr(self, name) not in known:
                raise InputError(f"{name} is one of {', '.join(known)}, not {getattr(self, name)!r}.")

    @property
    def mm(self) -> float:
        """The height of a line of text."""
        return self.size * 25.4 / 72

    def cluster(self, number: int) -> str:
        colours = CLUSTER_COLOURS[self.clusters]
        return NOTHING if number < 0 else dict(self.own).get(int(number), colours[int(number) % len(colours)])

    def coloured(self, values: np.ndarray, low: float, high: float, diverging: bool = False) -> np.ndarray:
        """(…, 3) bytes for values; NaN is grey."""
        stops = np.array([_rgb(stop) for stop in (DIVERGING if diverging else PALETTES[self.palette])], dtype=float)
        stops = stops[::-1] if self.reverse else stops
        share = (values - low) / (high - low) if high > low else np.zeros_like(values)
        place = np.clip(np.nan_to_num(share), 0, 1) * (len(stops) - 1)
        channels = [np.interp(place, np.arange(len(stops)), stops[:, c]) for c in range(3)]
        pixels = np.stack(channels, axis=-1).round().astype(np.uint8)
        pixels[~np.isfinite(values)] = _rgb(NOTHING)
        return pixels

    def painted(self, numbers: np.ndarray) -> np.ndarray:
        """(…, 3) bytes for colour numbers; −1 is grey."""
        colours = np.array([_rgb(colour) for colour in (*CLUSTER_COLOURS[self.clusters], NOTHING)], dtype=np.uint8)
        pixels = colours[np.where(numbers < 0, len(colours) - 1, numbers % (len(colours) - 1))]
        for number, colour in self.own:
            pixels[numbers == number] = _rgb(colour)
        return pixels


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(f"{name} must be between {low:g} and {high:g}, not {value!r}.")


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
