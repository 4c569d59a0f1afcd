// A machine whose clock is FAULT_CLOCK_MS away from the others'. SIGUSR2 steps it by FAULT_CLOCK_STEP_MS more. Like
// libfaketime with FAKETIME_DONT_FAKE_MONOTONIC: what measures durations goes on as before.
let offset = Number(process.env.FAULT_CLOCK_MS ?? 0)
const { now } = Date

class OtherDate extends Date {
  constructor(...values: unknown[]) {
    // biome-ignore lint/suspicious/noExplicitAny: Date takes many things, and we hand on whatever came
    super(...((values.length === 0 ? [now() + offset] : values) as [any]))
  }
  static override now(): number {
    return now() + offset
  }
}
globalThis.Date = OtherDate as DateConstructor

process.on('SIGUSR2', () => {
  offset += Number(process.env.FAULT_CLOCK_STEP_MS ?? 0)
  process.stdout.write('the clock was set\n')
})
