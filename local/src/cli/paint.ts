/** Text in colour, or as it is. Colour only ever repeats what the words say. */
export interface Paint {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
  cyan(text: string): string
}

const wrap =
  (on: boolean, open: number, close: number) =>
  (text: string): string =>
    on ? `\u001b[${open}m${text}\u001b[${close}m` : text

export const paint = (on: boolean): Paint => ({
  bold: wrap(on, 1, 22),
  dim: wrap(on, 2, 22),
  green: wrap(on, 32, 39),
  yellow: wrap(on, 33, 39),
  red: wrap(on, 31, 39),
  cyan: wrap(on, 36, 39),
})

/** On a terminal that can show it, unless somebody does not want it (no-color.org). */
export const wantsColour = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean => stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
