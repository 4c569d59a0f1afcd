import type { Of } from './ids.ts'

/** A moment, in milliseconds since 1970. Adding a duration gives a plain number, which is accepted as either. */
export type Instant = Of<'instant', number>

/** A length of time, in milliseconds. It is not accepted where a moment is wanted: `now - WINDOW_MS`, not `WINDOW_MS`. */
export type Duration = Of<'duration', number>
