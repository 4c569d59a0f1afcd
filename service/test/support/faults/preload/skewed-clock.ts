// Shifts the wall clock by FAULT_CLOCK_MS; SIGUSR2 shifts it by FAULT_CLOCK_STEP_MS more. The monotonic clock stays
// correct, as with libfaketime's FAKETIME_DONT_FAKE_MONOTONIC.
let offset = Number(process.env.FAULT_CLOCK_MS ?? 0)
const { now } = Date

class SkewedDate extends Date {
  constructor(...values: unknown[]) {
    // biome-ignore lint/suspicious/noExplicitAny: Date has several signatures, and all arguments are passed on
    super(...((values.length === 0 ? [now() + offset] : values) as [any]))
  }
  static override now(): number {
    return now() + offset
  }
}
globalThis.Date = SkewedDate as DateConstructor

process.on('SIGUSR2', () => {
  offset += Number(process.env.FAULT_CLOCK_STEP_MS ?? 0)
  process.stdout.write('the clock was set\n')
})
