"""Trains a TopK autoencoder in NumPy on one thread: for each line "N" on standard input takes N steps
and prints how long that took, in ms, then the share of the variance that the last batch explains.

The same training as the core's: float32, inputs less the decoder's bias, the k largest of ReLU in each
row, squared error, gradients less their part along the decoder's unit rows, Adam as PyTorch has it, rows
made unit again, batches in an order drawn for each epoch, each of 256.

    train_rounds.py [D F K]

Without them D = 64, 256 latents, k = 8. Products are dense there, since that is what BLAS is fast at: five of
256 x 64 x 256 a step took less time here than any gathering of the k rows that matter. Of 1,024 latents or more only
the encoder's is, and the others are of SciPy's CSR matrices. The k-th largest is found by `partition`, which takes less
than `argpartition`. Everything is written into arrays that are there already where NumPy can.
"""

import sys
import time

import reference  # noqa: F401  first: it sets the number of threads

import numpy as np

D, F, K = (int(x) for x in sys.argv[1:4]) if len(sys.argv) > 3 else (64, 256, 8)
BATCH, SPARSE = 256, F >= 1_024
ROWS = 4_096 if SPARSE else 20_000
if SPARSE:
    from scipy.sparse import csr_array
RATE, BETA1, BETA2, EPS = 0.003, 0.9, 0.999, 1e-8


def world(rng):
    """F sparse features in D dimensions, of which about eight are present."""
    directions = rng.randn(F, D)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    if SPARSE:
        chosen = [rng.randint(0, F, 8) for _ in range(ROWS)]
        return np.stack([rng.rand(8) @ directions[some] for some in chosen]).astype(np.float32)
    fires = rng.random_sample((ROWS, F)) < 8 / F
    sizes = np.maximum(0.1, 1 + 0.25 * rng.randn(ROWS, F))
    return ((fires * sizes) @ directions).astype(np.float32)


class Training:
    def __init__(self):
        rng = np.random.RandomState(0)
        self.data = world(np.random.RandomState(1))
        self.variance = float(self.data.var(axis=0).mean())
        # One flat array, so that Adam is a few operations on all of it.
        self.values = np.zeros(2 * F * D + F + D, np.float32)
        self.grad, self.m, self.v, self.scratch = (np.zeros_like(self.values) for _ in range(4))
        self.enc, self.dec, self.b_enc, self.b_dec = self.views(self.values)
        self.d_enc, self.d_dec, self.d_b_enc, self.d_b_dec = self.views(self.grad)
        self.dec[:] = rng.randn(F, D)
        self.dec /= np.linalg.norm(self.dec, axis=1, keepdims=True)
        self.enc[:] = self.dec
        self.b_dec[:] = self.data.mean(axis=0)
        self.h = np.empty((BATCH, F), np.float32)
        self.d_h = np.empty((BATCH, F), np.float32)
        self.rng, self.step_number, self.order = rng, 0, None

    @staticmethod
    def views(flat):
        cut = np.split(flat, [F * D, 2 * F * D, 2 * F * D + F])
        return cut[0].reshape(F, D), cut[1].reshape(F, D), cut[2], cut[3]

    def batch(self):
        at = self.step_number % (ROWS // BATCH)
        if at == 0:
            self.order = self.rng.permutation(ROWS)
        return self.data[self.order[at * BATCH : (at + 1) * BATCH]]

    def step(self):
        x = self.batch()
        x -= self.b_dec
        h = np.matmul(x, self.enc.T, out=self.h)
        h += self.b_enc
        np.maximum(h, 0, out=h)
        least = np.partition(h, F - K, axis=1)[:, F - K, None]
        active = (h >= least) & (h > 0)
        if SPARSE:
            return self.sparse(x, h, active)
        h *= active
        g = h @ self.dec
        g -= x
        mse = float(np.vdot(g, g)) / g.size
        g *= np.float32(2 / g.size)
        np.matmul(h.T, g, out=self.d_dec)
        d_h = np.matmul(g, self.dec.T, out=self.d_h)
        d_h *= active
        np.matmul(d_h.T, x, out=self.d_enc)
        d_h.sum(axis=0, out=self.d_b_enc)
        g.sum(axis=0, out=self.d_b_dec)
        self.d_b_dec -= self.d_b_enc @ self.enc
        self.d_dec -= np.einsum("ij,ij->i", self.d_dec, self.dec)[:, None] * self.dec
        self.adam()
        self.dec /= np.sqrt(np.einsum("ij,ij->i", self.dec, self.dec))[:, None]
        return 1 - mse / self.variance

    def sparse(self, x, h, active):
        """The rest of a step, of what is active alone."""
        rows, index = np.nonzero(active)
        start = np.searchsorted(rows, np.arange(BATCH + 1))
        codes = csr_array((h[rows, index], index, start), shape=h.shape)
        g = codes @ self.dec
        g -= x
        mse = float(np.vdot(g, g)) / g.size
        g *= np.float32(2 / g.size)
        self.d_dec[:] = codes.T @ g
        values = np.einsum("ij,ij->i", g[rows], self.dec[index])
        d_h = csr_array((values, index, start), shape=h.shape)
        self.d_enc[:] = d_h.T @ x
        self.d_b_enc[:] = d_h.sum(axis=0)
        g.sum(axis=0, out=self.d_b_dec)
        self.d_b_dec -= self.d_b_enc @ self.enc
        self.d_dec -= np.einsum("ij,ij->i", self.d_dec, self.dec)[:, None] * self.dec
        self.adam()
        self.dec /= np.sqrt(np.einsum("ij,ij->i", self.dec, self.dec))[:, None]
        return 1 - mse / self.variance

    def adam(self):
        self.step_number += 1
        t, scratch = self.step_number, self.scratch
        np.subtract(self.grad, self.m, out=scratch)
        scratch *= np.float32(1 - BETA1)
        self.m += scratch
        self.v *= np.float32(BETA2)
        np.multiply(self.grad, self.grad, out=scratch)
        scratch *= np.float32(1 - BETA2)
        self.v += scratch
        np.sqrt(self.v, out=scratch)
        scratch *= np.float32(1 / np.sqrt(1 - BETA2**t))
        scratch += np.float32(EPS)
        np.divide(self.m, scratch, out=scratch)
        scratch *= np.float32(RATE / (1 - BETA1**t))
        self.values -= scratch


def main():
    training = Training()
    for line in sys.stdin:
        start = time.perf_counter()
        for _ in range(int(line)):
            explained = training.step()
        print(1e3 * (time.perf_counter() - start), flush=True)
        print(explained, flush=True)


if __name__ == "__main__":
    main()
