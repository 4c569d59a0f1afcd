export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** The characters of the bar. */
const WIDTH = 40

/** Shows how far a command is: at a terminal a bar that is redrawn, otherwise a line for every tenth. */
export function progressOn(output: ProgressOutput): (done: number, total: number) => void {
  const isTerminal = output.isTTY === true
  const step = isTerminal ? 1 : 10
  let shown = 0
  return (done, total) => {
    const percent = Math.floor((done / total) * 100)
    if (percent < shown + step) {
      return
    }
    shown = percent - (percent % step)
    if (!isTerminal) {
      output.write(`${shown}% of the rows\n`)
      return
    }

    const bar = '█'.repeat((percent * WIDTH) / 100).padEnd(WIDTH, '░')
    const end = percent === 100 ? '\n' : ''
    output.write(`\r${bar} ${percent}%${end}`)
  }
}
