const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80
const CLEAR = '\r\u001b[K'

export interface Spinner {
  update(text: string): void
  stop(): void
}

interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** An animated line on a terminal; elsewhere each new text is printed once, on its own line. */
export function createSpinner(
  stream: Stream,
  isAnimated: boolean,
  color: (text: string) => string,
  text: string,
): Spinner {
  let current = text
  if (!isAnimated) {
    const writeLine = (next: string): void => void stream.write(`${next}\n`)
    writeLine(current)
    return {
      update(next) {
        if (next !== current) writeLine(next)
        current = next
      },
      stop() {},
    }
  }
  let frame = 0
  const draw = (): void => void stream.write(`${CLEAR}${color(FRAMES[frame++ % FRAMES.length] ?? '')} ${current}`)
  draw()
  const timer = setInterval(draw, FRAME_MS)
  return {
    update(next) {
      current = next
      draw()
    },
    stop() {
      clearInterval(timer)
      stream.write(CLEAR)
    },
  }
}
