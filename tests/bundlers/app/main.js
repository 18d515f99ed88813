// What an application of somebody else's does with the package: numbers, a run, the weights, the element.

import { hypervolume, littleTasks, run, sparsity } from 'sfc-bench';
import 'sfc-bench/element';

const element = document.querySelector('sfc-bench');
const drawn = new Promise((resolve, reject) => {
  element.addEventListener('sfc-bench:result', () => resolve(element.shadowRoot.querySelectorAll('canvas').length));
  element.addEventListener('sfc-bench:error', ({ detail }) => reject(new Error(detail.message)));
});

async function found() {
  const s = await sparsity({ data: new Float64Array([1, 0, 0, 2]), rows: 2, cols: 2 });
  const { hypervolume: volume } = await hypervolume([
    [0.5, 0.5, 0.5],
    [0.9, 0.1, 0.2],
  ]);
  const { digest } = await run({ k: 32 });
  const tasks = await littleTasks({ prompts: 8 });
  return { s, h: volume, digest, tasks: tasks.length, canvases: await drawn };
}

const place = document.querySelector('#found');
found().then(
  (value) => (place.textContent = JSON.stringify(value)),
  (error) => (place.textContent = `${error.name}: ${error.message}`),
);
