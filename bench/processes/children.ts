import type { ChildProcess } from 'node:child_process'

const living = new Set<ChildProcess>()

// A run that fails or is interrupted must not leave servers behind.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

/** Ends with us, if it has not ended before. */
export function endsWithUs<T extends ChildProcess>(child: T): T {
  living.add(child)
  child.once('exit', () => living.delete(child))
  return child
}
