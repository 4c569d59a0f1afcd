const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80
const CLEAR = '\r\u001b[K'

export interface Spinner {
  say(text: string): void
  stop(): void
}

interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Something moves on a terminal; elsewhere each new text is a line of its own. */
export function spinner(stream: Stream, isAnimated: boolean, colour: (text: string) => string, text: string): Spinner {
  let current = text
  if (!isAnimated) {
    const line = (next: string): void => void stream.write(`${next}\n`)
    line(current)
    return {
      say(next) {
        if (next !== current) line(next)
        current = next
      },
      stop() {},
    }
  }
  let at = 0
  const draw = (): void => void stream.write(`${CLEAR}${colour(FRAMES[at++ % FRAMES.length] ?? '')} ${current}`)
  draw()
  const timer = setInterval(draw, FRAME_MS)
  return {
    say(next) {
      current = next
      draw()
    },
    stop() {
      clearInterval(timer)
      stream.write(CLEAR)
    },
  }
}
