// The programs that the page is held against. `cargo xtask test page` builds or finds them and says where.

import { fileURLToPath } from 'node:url';

/** The command line's own binary. */
export const CLI =
  process.env.SFC_BENCH || fileURLToPath(new URL('../../../target/debug/sfc-bench', import.meta.url));

/** A Python that has NumPy. */
export const PYTHON = process.env.PYTHON || 'python3';
