"""The same bootstraps in NumPy, each the fastest of the ways that are usual: numpy_fit.py models|images MODELS RESAMPLES [IMAGES]"""
import json
import sys
import time

import numpy as np


def by_models(x, y, resamples, rng):
    """All resamples at once: indices, then sums over each row."""
    n = len(x)
    drawn = rng.integers(0, n, (resamples, n), dtype=np.uint8)
    a, b = x[drawn], y[drawn]
    mean_a, mean_b = a.mean(1), b.mean(1)
    slope = (np.einsum("ij,ij->i", a, b) / n - mean_a * mean_b) / (np.einsum("ij,ij->i", a, a) / n - mean_a**2)
    return np.percentile(slope, [2.5, 97.5]), np.percentile(mean_b - slope * mean_a, [2.5, 97.5])


def by_images(right, x, resamples, rng):
    """How often each image was drawn, a block of resamples at a time, times a matrix of right answers in floats."""
    models, images = right.shape
    columns = np.ascontiguousarray(right.T.astype(np.float32))
    centred = x - x.mean()
    slopes, offsets = np.empty(resamples), np.empty(resamples)
    for first in range(0, resamples, 500):
        n = min(500, resamples - first)
        weights = np.empty((n, images), np.float32)
        for i in range(n):
            weights[i] = np.bincount(rng.integers(0, images, images, dtype=np.uint16), minlength=images)
        y = 100 * (weights @ columns).astype(np.float64) / images
        slopes[first : first + n] = y @ centred / (centred @ centred)
        offsets[first : first + n] = y.mean(1) - slopes[first : first + n] * x.mean()
    return np.percentile(slopes, [2.5, 97.5]), np.percentile(offsets, [2.5, 97.5])


kind, models, resamples = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(1)
if kind == "models":
    x = 43 + 40 * rng.random(models)
    y = 1.11 * x - 20 + rng.random(models)
    begun = time.perf_counter()
    by_models(x, y, resamples, rng)
else:
    images = int(sys.argv[4])
    accuracy = 0.43 + 0.4 * np.arange(models) / models
    right = (rng.random((models, images)) < accuracy[:, None]).astype(np.uint8)
    begun = time.perf_counter()
    by_images(right, 100 * accuracy, resamples, rng)
print(json.dumps({"seconds": round(time.perf_counter() - begun, 6)}, separators=(",", ":")))
