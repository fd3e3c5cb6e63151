"""What the lines under a report's figures need: from consensus_core.report.lines import *"""

import numpy as np

from ..data.oddities import portrait
from ..drawing import paper
from ..method import iterate
from ..partition import linkage
from ..scores import certainty
from ..similarity import coassociation

__all__ = ["certainty", "coassociation", "iterate", "linkage", "np", "paper", "portrait"]
