/* As much of Node as the package uses there. Types only: nothing here is loaded. */

declare module 'node:worker_threads' {
  export class Worker {
    constructor(file: string, options?: { name?: string });
    postMessage(message: unknown): void;
    terminate(): Promise<number>;
    ref(): void;
    unref(): void;
    on(event: 'message', listener: (message: any) => void): this;
    on(event: 'error', listener: (error: unknown) => void): this;
    on(event: 'messageerror', listener: (error: unknown) => void): this;
    on(event: 'exit', listener: (code: number) => void): this;
  }
  export const parentPort: {
    postMessage(message: unknown): void;
    on(event: 'message', listener: (message: any) => void): void;
  } | null;
}

declare module 'node:fs/promises' {
  export function readFile(file: string): Promise<Uint8Array<ArrayBuffer>>;
}

declare module 'node:path' {
  export function basename(path: string): string;
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
}

declare module 'node:url' {
  export function fileURLToPath(address: string): string;
}

declare module 'node:os' {
  export function availableParallelism(): number;
}
