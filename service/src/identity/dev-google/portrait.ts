import { initials, PEOPLE } from './people.ts'

/** The picture behind an address like `people/ada.svg`, or null. */
export function portrait(file: string): string | null {
  const person = PEOPLE.find(({ id }) => `${id}.svg` === file)
  if (!person?.portrait) return null
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="${person.name}">
  <circle cx="48" cy="48" r="48" fill="${person.portrait}"/>
  <text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="38" text-anchor="middle" dominant-baseline="central">${initials(person.name)}</text>
</svg>
`
}
