/** Text of strangers without control characters: it must not control the operator's terminal. */
export const terminalText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')

export const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`

export const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
