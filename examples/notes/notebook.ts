export interface Note {
  readonly id: number
  readonly text: string
  readonly writtenAt: Date
}

export const NOTE_MAX_CHARACTERS = 2_000

/** Keeps notes in memory. A real app uses a database, with the user's id in every query. */
export class Notebook {
  readonly #notes = new Map<number, Note[]>()
  #lastId = 0

  of(userId: number): readonly Note[] {
    return this.#notes.get(userId) ?? []
  }

  find(userId: number, id: number): Note | null {
    return this.of(userId).find((note) => note.id === id) ?? null
  }

  /** null when the text is empty. */
  add(userId: number, text: string): Note | null {
    const trimmed = text.trim().slice(0, NOTE_MAX_CHARACTERS)
    if (trimmed === '') {
      return null
    }
    this.#lastId += 1
    const note = { id: this.#lastId, text: trimmed, writtenAt: new Date() }
    this.#notes.set(userId, [note, ...this.of(userId)])
    return note
  }

  remove(userId: number, id: number): void {
    this.#notes.set(
      userId,
      this.of(userId).filter((note) => note.id !== id),
    )
  }
}
