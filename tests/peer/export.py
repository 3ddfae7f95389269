#!/usr/bin/env python3
"""Exports torchvision architectures with random weights as ONNX files, with an input and PyTorch's output.

    export.py FOLDER [NAME...]       default: every architecture below

Writes NAME.onnx (opset 13, free batch), NAME.in.f32 (2 images) and NAME.out.f32 (2 x 1000 logits); what is
there already is kept. Needs Debian's python3-torch, python3-torchvision and python3-onnx; used by tests/peer
and `make bench`, never to build or run."""
import os
import sys
import warnings

import torch
from torch import nn
from torchvision import models

warnings.filterwarnings('ignore')
ALL = ['alexnet', 'vgg16', 'resnet18', 'resnet50', 'squeezenet1_1', 'densenet121', 'mobilenet_v2',
       'efficientnet_b0', 'resnext50_32x4d', 'wide_resnet50_2', 'googlenet', 'inception_v3',
       'mobilenet_v3_large', 'mobilenet_v3_small', 'shufflenet_v2_x1_0', 'mnasnet1_0', 'regnet_x_400mf',
       'regnet_y_400mf', 'vit_b_16', 'convnext_tiny']
MORE = {'googlenet': {'init_weights': True, 'aux_logits': False}, 'inception_v3': {'init_weights': True}}


def randomise(model, side):
    """Weights with which the output depends on the picture: batch norm takes the statistics of four pictures
    of noise (with random initialisation alone, deep networks forget their input), then scale and shift vary."""
    norms = [m for m in model.modules() if isinstance(m, nn.modules.batchnorm._BatchNorm)]
    g = torch.Generator().manual_seed(7)
    for m in norms:
        m.momentum = None
    if norms:
        model.train()
        model(torch.randn(4, 3, side, side, generator=g))
        model.eval()
    for m in norms:
        m.weight.data.copy_(torch.rand(m.weight.shape, generator=g) * 0.5 + 0.75)
        m.bias.data.copy_(torch.randn(m.bias.shape, generator=g) * 0.1)
    for m in model.modules():
        if isinstance(m, nn.Linear) and not m.weight.any():
            m.weight.data.copy_(torch.randn(m.weight.shape, generator=g) * 0.05)


def export(name, folder):
    path = os.path.join(folder, name)
    if os.path.exists(path + '.onnx'):
        return
    torch.manual_seed(1)
    model = getattr(models, name)(**MORE.get(name, {})).eval()
    side = 299 if name == 'inception_v3' else 224
    with torch.no_grad():
        randomise(model, side)
        x = torch.randn(2, 3, side, side)
        y = model(x)
    if (y[0] - y[1]).std() < 0.01 * y.std():
        sys.exit(f'{name}: its output says too little about its input')
    y.numpy().tofile(path + '.out.f32')
    x.numpy().tofile(path + '.in.f32')
    torch.onnx.export(model, x, path + '.tmp', opset_version=13, input_names=['input'],
                      output_names=['output'], dynamic_axes={'input': {0: 'n'}, 'output': {0: 'n'}})
    os.rename(path + '.tmp', path + '.onnx')
    print(name, flush=True)


torch.set_num_threads(1)
os.makedirs(sys.argv[1], exist_ok=True)
for each in sys.argv[2:] or ALL:
    export(each, sys.argv[1])
