import { type Html, html, type Part } from '../../../pages/markup.ts'

const CHARACTERS = 180
const BEFORE = 50

/** The text around the first word that occurs, with every word marked. */
export function excerpt(text: string, words: readonly string[]): Html {
  const lower = text.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at !== -1), text.length)
  const from = first === text.length ? 0 : startOfWord(text, first - BEFORE)
  const shown = text.slice(from, from + CHARACTERS)
  const cut = from + CHARACTERS < text.length ? `${shown.slice(0, shown.lastIndexOf(' '))} …` : shown
  return html`${from > 0 && '… '}${marked(cut, words)}`
}

const startOfWord = (text: string, at: number): number => (at <= 0 ? 0 : text.indexOf(' ', at) + 1)

function marked(text: string, words: readonly string[]): Part[] {
  if (words.length === 0) return [text]
  // Words have letters, digits and underscores only, so none has a meaning in a regular expression.
  return text
    .split(new RegExp(`(${words.join('|')})`, 'iu'))
    .map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))
}
