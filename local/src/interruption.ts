import { nextStep, Problem } from './problem.ts'

const controller = new AbortController()

/** Aborted by Ctrl-C or SIGTERM, so that the command releases its lock, removes its drafts and says what happened. */
export const interruption: AbortSignal = controller.signal

/** For the whole process, because signals are. The second signal ends the process at once. */
export function listenForInterruption(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort())
  }
}

export const interrupted = (next: string, message = 'Interrupted.'): Problem =>
  new Problem('interrupted', message, nextStep(next))
