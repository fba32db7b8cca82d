import type { Setter } from 'jotai'

export type Command = {
  id: string
  label: string
  detail?: string | undefined
  /** Found by, but not shown. */
  keywords?: string | undefined
  /** Found by its label only, so a part's or bike's name doesn't find it. */
  isFoundByLabel?: boolean
  changesData?: boolean | undefined
  run: (set: Setter) => void
}

export type CommandGroup = {
  heading: string
  /** Some commands are only shown in search results, because there may be many. */
  when?: 'searched' | 'unsearched'
  commands: Command[]
}
