import type { Of } from './ids.ts'

/** Milliseconds since 1970. Adding a duration gives a plain number, which is accepted as either. */
export type Instant = Of<'instant', number>

/** Milliseconds. The compiler rejects it where an instant is expected: `now - WINDOW_MS`, not `WINDOW_MS`. */
export type Duration = Of<'duration', number>
