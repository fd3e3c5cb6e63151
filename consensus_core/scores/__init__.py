"""How good labels are: with a truth, and without one.

Every function takes `counts` where an entry stands for several equal objects. Objects without a label on either side
are left out; `all_scores` says how many.
"""

from .against_truth import acc, all_scores, ari, f1, nmi, purity
from .chance import nmi_above_chance
from .consensus import Confidence, cdf_area, confidence, consensus_cdf, delta_area, pac
from .element_centric import element_agreement, element_centric, element_similarity, pairwise_element_centric
from .ensemble_wide import Agreement, Diversity, agreement, diversity, pairwise_ari, stability
from .headline import headline
from .margins import Certainty, certainty

__all__ = [
    "Agreement",
    "Certainty",
    "Confidence",
    "Diversity",
    "acc",
    "agreement",
    "all_scores",
    "ari",
    "cdf_area",
    "certainty",
    "confidence",
    "consensus_cdf",
    "delta_area",
    "diversity",
    "element_agreement",
    "element_centric",
    "element_similarity",
    "f1",
    "headline",
    "nmi",
    "nmi_above_chance",
    "pac",
    "pairwise_ari",
    "pairwise_element_centric",
    "purity",
    "stability",
]
