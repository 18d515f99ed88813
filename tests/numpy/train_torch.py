"""Trains a TopK autoencoder in PyTorch on one thread, as one writes it there: for each line "N" on standard input takes N
steps and prints how long that took, in ms, then the mean squared error of the last batch.

    train_torch.py D F K

`torch.topk` and `embedding_bag` for the codes, autograd, the gradient less its part along the decoder's unit rows,
`torch.optim.Adam` with its fused step, rows made unit again; batches of 256.
"""

import sys
import time

import numpy as np
import torch

D, F, K = (int(x) for x in sys.argv[1:4])
BATCH, ROWS = 256, 4_096
torch.set_num_threads(1)
torch.manual_seed(0)


class Training:
    def __init__(self):
        rng = np.random.RandomState(1)
        directions = rng.randn(F, D).astype(np.float32)
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        rows = [rng.rand(8).astype(np.float32) @ directions[rng.randint(0, F, 8)] for _ in range(ROWS)]
        self.data = torch.from_numpy(np.stack(rows))
        dec = torch.nn.functional.normalize(torch.randn(F, D), dim=1)
        self.enc, self.dec = (torch.nn.Parameter(dec.clone()) for _ in range(2))
        self.b_enc = torch.nn.Parameter(torch.zeros(F))
        self.b_dec = torch.nn.Parameter(self.data.mean(dim=0))
        every = [self.enc, self.dec, self.b_enc, self.b_dec]
        self.adam = torch.optim.Adam(every, lr=0.003, fused=True)
        self.at = 0

    def step(self):
        x = self.data[(self.at * BATCH) % ROWS :][:BATCH]
        self.at += 1
        z = torch.addmm(self.b_enc, x - self.b_dec, self.enc.T)
        values, index = torch.topk(z, K, dim=1)
        decoded = torch.nn.functional.embedding_bag(
            index, self.dec, per_sample_weights=torch.relu(values), mode="sum"
        )
        loss = torch.mean((decoded + self.b_dec - x) ** 2)
        self.adam.zero_grad()
        loss.backward()
        with torch.no_grad():
            along = (self.dec.grad * self.dec).sum(dim=1, keepdim=True)
            self.dec.grad -= along * self.dec
            self.adam.step()
            self.dec /= self.dec.norm(dim=1, keepdim=True)
        return float(loss.detach())


def main():
    training = Training()
    for line in sys.stdin:
        start = time.perf_counter()
        for _ in range(int(line)):
            loss = training.step()
        print(1e3 * (time.perf_counter() - start), flush=True)
        print(loss, flush=True)


if __name__ == "__main__":
    main()
