import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

// A run that fails or is interrupted must not leave servers behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

/** Kills the child when this process exits. */
export function killOnExit<T extends ChildProcess>(child: T): T {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
