import { malformed } from './refusal.ts'

/** Reads text from left to right. Patterns are sticky. */
export class Reader {
  readonly #what: string
  readonly #text: string
  #position = 0

  constructor(what: string, text: string) {
    this.#what = what
    this.#text = text
  }

  /** Reads what comes next, if it matches. */
  next(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)
    if (match) this.#position = pattern.lastIndex
    return match ?? undefined
  }

  /** Reads what comes next. Throws a Refusal if it doesn't match. */
  expect(pattern: RegExp): RegExpExecArray {
    return this.next(pattern) ?? this.fail()
  }

  /** Reads at least one element. */
  list<T>(element: () => T, comma = /,/y): [T, ...T[]] {
    const elements: [T, ...T[]] = [element()]
    while (this.next(comma)) elements.push(element())
    return elements
  }

  end(): void {
    if (this.#position < this.#text.length) this.fail()
  }

  fail(): never {
    throw malformed(this.#what, this.#text)
  }
}
