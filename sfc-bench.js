// @ts-check
/**
 * The element for other people's pages:
 *
 *   <script type="module" src="https://…/sfc-bench.js"></script>
 *   <sfc-bench figure="curves" profile="equal" theme="auto"></sfc-bench>
 */

export { SfcBenchElement } from './www/element/element.js';
