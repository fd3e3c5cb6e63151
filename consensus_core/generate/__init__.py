"""Base clusterings from features, as the papers make them and in some ways besides.

labels = generate(X, "kmeans_random_k", m=20, seed=0)                 # (n, 20)
labels = generate(X, [("spectral", 9), ("gaussian_mixture", 11)], k=4, scaling="z-score")
"""

from .features import SCALINGS
from .from_files import base_clusterings_of_files
from .making import estimate, generate, generate_ensemble
from .recipe import Recipe
from .recipes import RECIPES

__all__ = ["RECIPES", "SCALINGS", "Recipe", "base_clusterings_of_files", "estimate", "generate", "generate_ensemble"]
