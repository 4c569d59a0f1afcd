import { writeFileSync } from 'node:fs'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

// Allocates as many megabytes as its argument says and keeps writing to all of them, so that the system cannot reclaim
// any. Reports its usage to its parent (memory-hog.ts), and exits with it.

const MEGABYTE = 1_024 * 1_024
const CHUNK_MB = 64
/** Left free for other processes; below it, this one frees memory. */
const RESERVE_MB = 1_024

// The out-of-memory killer must choose this process, never another.
if (process.platform === 'linux') {
  writeFileSync('/proc/self/oom_score_adj', '1000')
}
process.on('disconnect', () => process.exit())

const wanted = Number(process.argv[2])
const chunks: Uint8Array<ArrayBuffer>[] = []
const availableMb = (): number => process.availableMemory() / MEGABYTE - RESERVE_MB
const report = (rounds: number): void =>
  void process.send?.({ allocatedMb: chunks.length * CHUNK_MB, rounds })

while ((chunks.length + 1) * CHUNK_MB <= wanted && availableMb() > CHUNK_MB) {
  chunks.push(new Uint8Array(CHUNK_MB * MEGABYTE).fill(1))
  await yieldToEventLoop()
}
report(0)
for (let rounds = 1; chunks.length > 0; rounds++) {
  for (const chunk of [...chunks]) {
    if (availableMb() > 0) {
      chunk.fill(rounds)
    } else {
      free(chunk)
    }
    await yieldToEventLoop()
  }
  report(rounds)
}

/** Frees the memory now instead of at the next garbage collection. */
function free(chunk: Uint8Array<ArrayBuffer>): void {
  chunk.buffer.transfer(0)
  chunks.splice(chunks.indexOf(chunk), 1)
}
