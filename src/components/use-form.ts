import { atom, useAtomValue, useStore, type WritableAtom } from 'jotai'
import { useRef, useState } from 'react'

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
import { useFormats, useHeldFormats } from '../lib/formats.ts'
import { failureMessage, newUuid } from '../lib/writes.ts'

/** The parts of the journal that a form needs. */
export type Journal = {
  /** Undoes an earlier version of what is saved. */
  undo: (change: string) => Promise<unknown>
  /** Lists the values that differ: `Cost $45.00 → $54.00`. */
  differences: (from: Values, to: Values) => string
}

/** The inputs that differ from what the form opened with, and the key that saves them. */
export type FormState = { chosen: Readonly<Record<string, unknown>>; key?: string | undefined }

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
  /** `settle` forgets what was saved, but nothing that was typed since. Call it before data is read again. */
  save: (values: ValuesOf<K>, save: Save<Pick<ValuesOf<K>, Edited>>, settle: () => void) => Promise<unknown>
  /** For the message "`subject` was not `done`". */
  outcome: (values: ValuesOf<K>) => { subject: string; done: string }
  /** Absent if the journal doesn't record what the form saves. */
  journal?: Journal
  /** Keeps the form's state beyond the form, such as in the session's storage. */
  drafts?: WritableAtom<FormState, [FormState], void>
}

const withoutInput = (chosen: FormState['chosen'], isDropped: (name: string, input: unknown) => boolean) =>
  Object.fromEntries(Object.entries(chosen).filter(([name, input]) => !isDropped(name, input)))

/**
 * Holds a form's inputs until they are saved. Saves under one key, so that a retry can't save twice. If an earlier version
 * was saved, or a value was changed elsewhere, says so, and saving again replaces it.
 */
export function useForm<K extends Kinds, Edited extends keyof K = never>(options: Options<K, Edited>) {
  const { fields, check = () => ({}), save, outcome, journal, drafts } = options
  type Shown = Pick<ValuesOf<K>, Edited>
  const [held, current] = [useHeldFormats(), useFormats()]
  // Drafts may be older than the formats that the form opens with, so they follow the formats.
  const formats = drafts ? current : held
  const [shown, setShown] = useState(options.shown ?? ({} as Shown))
  // Not what was filled in since, which isn't saved either.
  const format = () =>
    formatInputs(fields, (options.shown ?? {}) as Partial<ValuesOf<K>>, formats, options.inputs)
  const [opened] = useState(format)
  const initial = drafts ? format() : opened
  const [local] = useState(() => atom<FormState>({ chosen: {} }))
  const stateAtom = drafts ?? local
  const { chosen } = useAtomValue(stateAtom)
  const store = useStore()
  const update = (change: (before: FormState) => FormState) =>
    store.set(stateAtom, change(store.get(stateAtom)))
  const [isTried, setTried] = useState(false)
  // The change of an earlier version that was saved.
  const [earlier, setEarlier] = useState<string | null>(null)
  const isBusy = useRef(false)
  const [isSaving, setSaving] = useState(false)

  const inputs: Inputs<K> = { ...initial, ...(chosen as Partial<Inputs<K>>) }
  const read = readInputs(fields, inputs, formats, shown as Partial<ValuesOf<K>>)
  const { values } = read
  const problems: Problems<K> = { ...check(values), ...read.problems }

  const keep = (key: string) => {
    update((before) => ({ ...before, key }))
    return key
  }
  const settle = () =>
    update((before) => ({ chosen: withoutInput(before.chosen, (name, input) => input === inputs[name]) }))

  const send = async (wanted: Partial<Shown>) => {
    // Not before, because a key says when its change was made.
    let key = keep(store.get(stateAtom).key ?? newUuid())
    if (earlier !== null) {
      await journal?.undo(earlier)
      setEarlier(null)
      key = keep(newUuid())
    }
    await save(values as ValuesOf<K>, { key, shown, wanted }, settle)
    setTried(false)
  }

  /** Resolves to null if saved, or to the failure's message, which is empty if a field shows the problem. */
  const submit = async (): Promise<string | null> => {
    setTried(true)
    if (Object.keys(problems).length > 0 || isBusy.current) return ''
    const wanted = wantedOf<Shown>(values, shown)
    isBusy.current = true
    setSaving(true)
    try {
      await send(wanted)
      return null
    } catch (cause) {
      if (cause instanceof SavedEarlier) setEarlier(cause.stored.change)
      if (!journal || !(cause instanceof ChangedElsewhere)) {
        const { subject, done } = outcome(values as ValuesOf<K>)
        return failureMessage(subject, done, cause)
      }
      const now = shownAfter(cause, shown, wanted)
      setShown(now)
      return `It has changed since: ${journal.differences(shown as Values, now as Values)}. Save again to replace this.`
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }
  const set = <Field extends keyof K & string>(name: Field, input: Inputs<K>[Field]) =>
    update(({ chosen, key }) => {
      const others = withoutInput(chosen, (other) => other === name)
      return { key, chosen: input === initial[name] ? others : { ...others, [name]: input } }
    })

  return {
    /** The inputs that the form opened with. */
    initial,
    inputs,
    /** The values of valid fields. */
    values,
    /** All problems. `field` only returns them after an attempt to save. */
    problems,
    isTried,
    isSaving,
    isChanged: JSON.stringify(inputs) !== JSON.stringify(initial),
    set,
    /** Fills in values. They stay exact until the owner changes their text. */
    fillIn(filled: Partial<ValuesOf<K>>) {
      setShown(filled as Shown)
      update(({ chosen, key }) => ({
        key,
        chosen: formatInputs(fields, filled, formats, { ...initial, ...(chosen as Partial<Inputs<K>>) }),
      }))
    },
    /** Returns the props of a field. */
    field: <Field extends keyof K & string>(name: Field) => ({
      value: inputs[name],
      problem: isTried ? problems[name] : undefined,
      onChange: (input: Inputs<K>[Field]) => set(name, input),
    }),
    /** Forgets all inputs. */
    discard: () => store.set(stateAtom, { chosen: {} }),
    submit,
  }
}

/** The parts of a form that its dialog needs. */
export type Form = { isChanged: boolean; submit: () => Promise<string | null> }

/** The parts of a form that some of its fields need. */
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
