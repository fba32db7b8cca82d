import { useState } from 'react'

import { ChangedElsewhere, SavedEarlier, type Values } from '../lib/errors.ts'
import {
  formatInputs,
  type Inputs,
  type Kinds,
  type Problems,
  readInputs,
  shownAfter,
  type ValuesOf,
  wantedOf,
} from '../lib/forms.ts'
import { useHeldFormats } from '../lib/formats.ts'
import { failureMessage, newUuid } from '../lib/writes.ts'

/** What a form needs of the journal. */
export type Journal = {
  /** Undoes an earlier version of what is saved. */
  undo: (change: string) => Promise<unknown>
  /** Lists the values that differ: `Cost $45.00 → $54.00`. */
  differences: (from: Values, to: Values) => string
}

type Save<V> = {
  /** Stays the same if a save that may have succeeded is repeated. */
  key: string
  /** The stored values that the owner has seen. */
  shown: V
  /** The values that differ from them. */
  wanted: Partial<V>
}

type Options<K extends Kinds, Edited extends keyof K> = {
  fields: K
  /** The stored values of the fields to edit. */
  shown?: Pick<ValuesOf<K>, Edited> | undefined
  /** The initial inputs of other fields. By default, they are empty text. */
  inputs?: Partial<Inputs<K>>
  /** Returns the problems of fields that are valid by themselves. */
  check?: (values: Partial<ValuesOf<K>>) => Problems<K>
  save: (values: ValuesOf<K>, save: Save<Pick<ValuesOf<K>, Edited>>) => Promise<unknown>
  /** For the message "`subject` was not `done`". */
  outcome: (values: ValuesOf<K>) => { subject: string; done: string }
  /** Absent if the journal doesn't record what the form saves. */
  journal?: Journal
}

const newAttempt = (earlier: string | null = null) => ({ key: undefined as string | undefined, earlier })

/**
 * Holds a form's inputs until they are saved. Saves under one key, so that a retry can't save twice. If an earlier version
 * was saved, or a value was changed elsewhere, says so, and saving again replaces it.
 */
export function useForm<K extends Kinds, Edited extends keyof K = never>(options: Options<K, Edited>) {
  const { fields, check = () => ({}), save, outcome, journal } = options
  type Shown = Pick<ValuesOf<K>, Edited>
  const formats = useHeldFormats()
  const [shown, setShown] = useState(options.shown ?? ({} as Shown))
  const [initial] = useState(() =>
    formatInputs(fields, shown as Partial<ValuesOf<K>>, formats, options.inputs),
  )
  const [inputs, setInputs] = useState(initial)
  const [isTried, setTried] = useState(false)
  const [attempt, setAttempt] = useState(newAttempt)

  const read = readInputs(fields, inputs, formats, shown as Partial<ValuesOf<K>>)
  const { values } = read
  const problems: Problems<K> = { ...check(values), ...read.problems }

  /** Resolves to null if saved, or to the failure's message, which is empty if a field shows the problem. */
  const submit = async (): Promise<string | null> => {
    setTried(true)
    if (Object.keys(problems).length > 0) return ''
    const wanted = wantedOf<Shown>(values, shown)
    // Not before, because a key says when its change was made.
    const { key = newUuid(), earlier } = attempt
    try {
      setAttempt({ key, earlier })
      if (journal && earlier !== null) {
        await journal.undo(earlier)
        setAttempt({ key, earlier: null })
      }
      await save(values as ValuesOf<K>, { key, shown, wanted })
      return null
    } catch (cause) {
      if (cause instanceof SavedEarlier) setAttempt(newAttempt(cause.stored.change))
      if (!journal || !(cause instanceof ChangedElsewhere)) {
        const { subject, done } = outcome(values as ValuesOf<K>)
        return failureMessage(subject, done, cause)
      }
      const now = shownAfter(cause, shown, wanted)
      setShown(now)
      return `It has changed since: ${journal.differences(shown as Values, now as Values)}. Save again to replace this.`
    }
  }
  const set = <Field extends keyof K>(name: Field, input: Inputs<K>[Field]) =>
    setInputs((before) => ({ ...before, [name]: input }))

  return {
    inputs,
    /** The values of valid fields. */
    values,
    /** All problems. `field` only returns them after an attempt to save. */
    problems,
    isTried,
    isChanged: JSON.stringify(inputs) !== JSON.stringify(initial),
    set,
    /** Fills in values. They stay exact until the owner changes their text. */
    fillIn(filled: Partial<ValuesOf<K>>) {
      setShown(filled as Shown)
      setInputs((before) => formatInputs(fields, filled, formats, before))
    },
    /** Returns the props of a field. */
    field: <Field extends keyof K>(name: Field) => ({
      value: inputs[name],
      problem: isTried ? problems[name] : undefined,
      onChange: (input: Inputs<K>[Field]) => set(name, input),
    }),
    submit,
  }
}

/** What a dialog needs of its form. */
export type Form = { isChanged: boolean; submit: () => Promise<string | null> }

/** What some of a form's fields need of it. */
export type FieldsOf<K extends Kinds> = {
  field: <Field extends keyof K>(
    name: Field,
  ) => {
    value: Inputs<K>[Field]
    problem: string | undefined
    // A method, so that a part of a form's fields can be passed on.
    onChange(this: void, input: Inputs<K>[Field]): void
  }
}
