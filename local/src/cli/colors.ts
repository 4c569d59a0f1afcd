/** ANSI colors, or plain text. Color never carries information that the text does not. */
export interface Colors {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
  cyan(text: string): string
}

const wrap =
  (isEnabled: boolean, open: number, close: number) =>
  (text: string): string =>
    isEnabled ? `\u001b[${open}m${text}\u001b[${close}m` : text

export const createColors = (isEnabled: boolean): Colors => ({
  bold: wrap(isEnabled, 1, 22),
  dim: wrap(isEnabled, 2, 22),
  green: wrap(isEnabled, 32, 39),
  yellow: wrap(isEnabled, 33, 39),
  red: wrap(isEnabled, 31, 39),
  cyan: wrap(isEnabled, 36, 39),
})

/** True on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb. */
export const supportsColor = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean => stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
