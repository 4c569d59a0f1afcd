import { writeFileSync } from 'node:fs'
import { setImmediate as breath } from 'node:timers/promises'

// A program that takes so many megabytes and writes to all of them, over and over, so that they are never idle. It tells
// whoever started it (hungry-neighbour.ts) what it holds, and ends with them.

const MEGABYTE = 1_024 * 1_024
const PIECE_MB = 64
/** Others are left with that much in any case; whenever they need it, it gives way. */
const LEFT_MB = 1_024

// If the kernel must end somebody, then nobody else.
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
process.on('disconnect', () => process.exit())

const wanted = Number(process.argv[2])
const pieces: Uint8Array<ArrayBuffer>[] = []
const roomMb = (): number => process.availableMemory() / MEGABYTE - LEFT_MB
const publish = (rounds: number): void => void process.send?.({ heldMb: pieces.length * PIECE_MB, rounds })

while ((pieces.length + 1) * PIECE_MB <= wanted && roomMb() > PIECE_MB) {
  pieces.push(new Uint8Array(PIECE_MB * MEGABYTE).fill(1))
  await breath()
}
publish(0)
for (let rounds = 1; pieces.length > 0; rounds++) {
  for (const piece of [...pieces]) {
    if (roomMb() > 0) piece.fill(rounds)
    else giveBack(piece)
    await breath()
  }
  publish(rounds)
}

/** Now, and not when garbage is next collected. */
function giveBack(piece: Uint8Array<ArrayBuffer>): void {
  piece.buffer.transfer(0)
  pieces.splice(pieces.indexOf(piece), 1)
}
