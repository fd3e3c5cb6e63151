"""Every sample, in the order in which they are offered."""

from __future__ import annotations

from sample_data.breaking_sets import island, stories
from sample_data.data_set import DataSet
from sample_data.label_tables import (
    five_objects,
    nine_objects,
    no_structure,
    one_bad,
    several_algorithms,
    thirty_percent_missing,
)
from sample_data.points import classics, overlapping_blobs, seven_shapes, ten_thousand, two_moons


def all_sets() -> list[DataSet]:
    return [
        island(),
        seven_shapes(),
        five_objects(),
        nine_objects(),
        two_moons(),
        *classics(),
        overlapping_blobs(),
        several_algorithms(),
        thirty_percent_missing(),
        one_bad(),
        no_structure(),
        ten_thousand(),
        *stories(),
    ]
