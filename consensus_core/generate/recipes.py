"""The recipes: three of the five papers', and others that make base clusterings differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import MISSING
from ..errors import InputError
from ..method import Cost, param
from . import hierarchy, spectral
from .estimates import kmeans_cost, mixture_cost, spectral_cost, tree_cost
from .kmeans import kmeans
from .mixture import SHAPES, mixture
from .recipe import DrawsK, Recipe


@dataclass(frozen=True)
class KMeans(Recipe):
    key, noun, needs_k = "kmeans_k", "k-means", True
    title = "k-means, k as asked"
    what = "k-means with the asked number of clusters, each time from other randomly drawn objects as first centres."
    paper = "SPCE, TRCE and CESHL (200 runs, ten ensembles of 20)"

    def base_clustering(self, material, index, rng, stopped):
        return kmeans(material.X, material.k, rng, stopped), ""

    def cost(self, n, p, k):
        return Cost(0, 0.0), kmeans_cost(n, p, k or 2)


@dataclass(frozen=True)
class KMeansRandomK(DrawsK):
    key, noun, takes_k = "kmeans_random_k", "k-means", False
    title = "k-means, k drawn"
    what = (
        "k-means with a number of clusters drawn evenly from 2 to √n for each base clustering, whatever k is asked of "
        "the consensus, from randomly drawn objects as first centres."
    )
    paper = "EC-CMS (100 runs, of which 20 are drawn)"

    def check(self, n, p, k):
        """The k asked for is the consensus' affair."""

    def base_clustering(self, material, index, rng, stopped):
        k = int(rng.integers(2, self.greatest(len(material.X)) + 1))
        return kmeans(material.X, k, rng, stopped), ""

    def cost(self, n, p, k):
        return Cost(0, 0.0), kmeans_cost(n, p, self.typical_k(n, None))


@dataclass(frozen=True)
class Spectral(Recipe):
    key, noun, needs_k = "spectral", "spectral", True
    title = "spectral, nine bandwidths"
    what = (
        "Spectral clustering with a Gaussian kernel whose bandwidth is the mean distance d of all pairs times "
        "0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50 and 100 in turn; after nine the bandwidths begin again."
    )
    paper = "SPCE (its second group of experiments, nine base clusterings)"

    def base_clustering(self, material, index, rng, stopped):
        factor = spectral.FACTORS[index % len(spectral.FACTORS)]
        squared = material.once("squared distances", lambda: spectral.pair_distances(material.X))
        return spectral.spectral(squared, factor, material.k, rng, stopped), f"σ = {factor:g} d"

    def cost(self, n, p, k):
        return spectral_cost(n, p, k or 2)


@dataclass(frozen=True)
class Mixture(DrawsK):
    key, noun = "gaussian_mixture", "Gaussian mixture"
    title = "Gaussian mixtures"
    what = (
        "A mixture of Gaussians fitted from a k-means start; each object goes to its likeliest component. "
        "k as asked, else drawn from 2 to √n."
    )
    paper = ""
    shape: str = param(
        "diagonal", "whether clusters lie along the axes (fast) or in any direction (full)", choices=SHAPES
    )

    def base_clustering(self, material, index, rng, stopped):
        k = self.draw_k(material, len(material.X), rng)
        return mixture(material.X, k, rng, stopped, self.shape), ""

    def cost(self, n, p, k):
        return Cost(0, 0.0), mixture_cost(n, p, self.typical_k(n, k), self.shape)


@dataclass(frozen=True)
class Agglomerative(DrawsK):
    key, noun = "agglomerative", "agglomerative"
    title = "agglomerative"
    what = (
        "Hierarchical clustering, cut at k as asked, else at a k drawn from 2 to √n. Nothing else is random in it: "
        "with k given, base clusterings of one linkage are equal."
    )
    paper = ""
    linkage: str = param(
        "in turn",
        "how far apart two clusters are; in turn: ward, average, complete, single, and again",
        choices=("in turn", *hierarchy.LINKAGES),
    )

    def base_clustering(self, material, index, rng, stopped):
        how = hierarchy.LINKAGES[index % len(hierarchy.LINKAGES)] if self.linkage == "in turn" else self.linkage
        k = self.draw_k(material, len(material.X), rng)
        merges = material.once(("tree", how), lambda: hierarchy.tree(material.X, how))
        return hierarchy.cut(merges, k), how

    def cost(self, n, p, k):
        trees = len(hierarchy.LINKAGES) if self.linkage == "in turn" else 1
        return tree_cost(n, p, trees)


@dataclass(frozen=True)
class FeatureSubset(DrawsK):
    key, noun = "feature_subset", "k-means on some features"
    title = "random features"
    what = "k-means on features drawn anew for each base clustering. k as asked, else drawn from 2 to √n."
    paper = ""
    share: float = param(0.5, "the share of the features each base clustering sees", low=0.01, high=1.0, step=0.05)

    def base_clustering(self, material, index, rng, stopped):
        p = material.X.shape[1]
        seen = rng.choice(p, max(1, round(self.share * p)), replace=False)
        k = self.draw_k(material, len(material.X), rng)
        return kmeans(material.X[:, np.sort(seen)], k, rng, stopped), f"{len(seen)} of {p} features"

    def cost(self, n, p, k):
        each = kmeans_cost(n, max(1, round(self.share * p)), self.typical_k(n, k))
        return Cost(0, 0.0), each


@dataclass(frozen=True)
class ObjectSubset(DrawsK):
    key, noun, leaves_missing = "object_subset", "k-means on some objects", True
    title = "random objects, the others missing"
    what = (
        "k-means on objects drawn anew for each base clustering; those left out get no label in it. "
        "k as asked, else drawn from 2 to √n."
    )
    paper = "PCE (10% to 70% left out, ten base clusterings with k as asked)"
    left_out: float = param(0.3, "the share of the objects each base clustering leaves out", low=0, high=0.95, step=0.1)

    def drawn(self, n):
        return n - round(self.left_out * n)

    def check(self, n, p, k):
        super().check(n, p, k)
        if self.drawn(n) < (k or 1):
            raise InputError(
                f"{self.title}: of {n} objects {self.drawn(n)} are left when {self.left_out:.0%} are left out, too few "
                f"for {k or 1} clusters; leave out fewer."
            )

    def base_clustering(self, material, index, rng, stopped):
        n = len(material.X)
        seen = np.sort(rng.choice(n, self.drawn(n), replace=False))
        labels = np.full(n, MISSING)
        labels[seen] = kmeans(material.X[seen], self.draw_k(material, len(seen), rng), rng, stopped)
        return labels, f"{len(seen)} of {n} objects"

    def cost(self, n, p, k):
        drawn = self.drawn(n)
        each = kmeans_cost(drawn, p, self.typical_k(drawn, k))
        return Cost(0, 0.0), Cost(each.bytes + 8 * drawn * p, each.seconds)


RECIPES: dict[str, Recipe] = {
    recipe.key: recipe()
    for recipe in (KMeansRandomK, KMeans, Spectral, Mixture, Agglomerative, FeatureSubset, ObjectSubset)
}
