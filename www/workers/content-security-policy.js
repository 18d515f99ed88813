// @ts-check
/** What a page's content security policy has refused of ours, as the browser tells it. */

/** What the policy must allow, in the order in which it was missed. @type {Set<string>} */
const missingPermissions = new Set();

/** @param {SecurityPolicyViolationEvent} event */
function describeViolation({ effectiveDirective, blockedURI }) {
  if (blockedURI === 'wasm-eval') return "script-src must allow 'wasm-unsafe-eval'";
  if (/^trusted-types/.test(blockedURI)) return 'trusted-types must allow sfc-bench';
  const directive = effectiveDirective.replace(/-elem$/, '');
  if (/^blob\b/.test(blockedURI)) return `${directive} must allow blob:`;
  const address = /^https?:/.test(blockedURI) ? new URL(blockedURI) : null;
  return address?.origin === new URL(import.meta.url).origin ? `${directive} must allow ${address.origin}` : '';
}

/** Begins to hear what is refused. */
export function watchPolicy() {
  document.addEventListener('securitypolicyviolation', (event) => {
    const words = event.disposition === 'enforce' ? describeViolation(event) : '';
    if (words) missingPermissions.add(words);
  });
}

/** What the page's policy would have to allow; empty where it refused nothing. @returns {Promise<string>} */
export async function describePolicyRefusals() {
  // The browser tells it in a task after the one that was refused.
  await new Promise((resolve) => setTimeout(resolve));
  return missingPermissions.size > 0 ? ` The page’s content security policy refuses it: ${[...missingPermissions].join('; ')}.` : '';
}
