"""Pairs a second of scikit-image with the same arguments: skimage_pairs.py PAIRS SIDE WINDOW"""
import json
import sys
import time

import numpy
from skimage.metrics import structural_similarity

pairs, side, window = (int(a) for a in sys.argv[1:4])
pictures = numpy.random.default_rng(1).integers(0, 256, (8, side, side, 3), dtype=numpy.uint8)
begun = time.perf_counter()
for i in range(pairs):
    structural_similarity(pictures[i % 8], pictures[(i + 3) % 8], win_size=window, channel_axis=2)
print(json.dumps({"pairs_per_second": round(pairs / (time.perf_counter() - begun), 1)}, separators=(",", ":")))
