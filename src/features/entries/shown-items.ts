import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import * as v from 'valibot'

import { TYPES } from '../../../supabase/functions/_shared/limits.ts'
import { addressAtom } from '../../lib/address.ts'
import { todayAtom } from '../../lib/clock.ts'
import { counted, type Formats, formatsAtom } from '../../lib/formats.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import { isPhoneAtom } from '../../lib/screen.ts'
import { sortBy } from '../../lib/sort.ts'
import type { Usage } from './usage-api.ts'
import { usageAtom } from './usage.ts'
import { draftedItemsAtom } from './drafts.ts'
import { COLUMN_NAMES, type Field, FIELDS, isInUse, type Item, knownAs, totalCost } from './fields.ts'
import { foundAtom, isFindingAtom, isFoundNarrowedAtom } from './find.ts'
import { heldItemAtom, logViewAtom, openItemIdAtom } from './open-item.ts'

/** The spec's order: by start, then by id. The log is also fetched in this order. */
const DEFAULT_ORDER = { key: 'dateStarted', desc: false } as const

export const SHOW_OPTIONS = [
  { value: 'in-use', label: 'In use' },
  { value: 'ended', label: 'Ended' },
  { value: 'all', label: 'All' },
] as const

export type Show = (typeof SHOW_OPTIONS)[number]['value']

const Show = v.picklist(SHOW_OPTIONS.map(({ value }) => value))

export type OrderKey = Field | 'useMiles' | 'useTime'

export const ORDER_KEYS: readonly OrderKey[] = [...COLUMN_NAMES, 'useMiles', 'useTime']

export const labelOf = (key: OrderKey, { name }: Formats): string => {
  if (key === 'useMiles') return `Use ${name}`
  return key === 'useTime' ? 'Use Time' : FIELDS[key].label
}

type Order = { key: OrderKey; desc: boolean }

const rememberedShowAtom = preferenceAtom<Show | null>('log-show', null, v.nullable(Show))

/**
 * The choice in the address, else this browser's last choice. On a phone, the table starts with items in use. A search starts with
 * all items.
 */
export const showAtom = atom(
  (get): Show => {
    if (get(isFindingAtom) && !get(isFoundNarrowedAtom)) return 'all'
    const given = v.safeParse(Show, get(addressAtom)['show'])
    if (given.success) return given.output
    return get(rememberedShowAtom) ?? (get(isPhoneAtom) && get(logViewAtom) === 'table' ? 'in-use' : 'all')
  },
  (get, set, show: Show) => {
    set(isFoundNarrowedAtom, get(isFindingAtom))
    set(rememberedShowAtom, show)
    set(heldItemAtom, null)
    set(addressAtom, { set: { show: show === 'all' ? null : show, item: null }, by: 'replace' })
  },
)

export const orderAtom = atom(
  (get): Order => {
    const written = get(addressAtom)['order'] ?? ''
    const key = ORDER_KEYS.find((one) => one === written.replace(/^-/, ''))
    return key ? { key, desc: written.startsWith('-') } : DEFAULT_ORDER
  },
  (_get, set, { key, desc }: Order) => {
    const isDefault = key === DEFAULT_ORDER.key && desc === DEFAULT_ORDER.desc
    set(addressAtom, { set: { order: isDefault ? null : `${desc ? '-' : ''}${key}` }, by: 'replace' })
  },
)

export const isGroupedAtom = atom(
  (get) => get(addressAtom)['group'] === 'type',
  (_get, set, isGrouped: boolean) =>
    set(addressAtom, { set: { group: isGrouped ? 'type' : null }, by: 'replace' }),
)

/** A function that returns whether an item is one of the chosen ones. */
const matchesAtom = atom((get) => {
  const [show, today, isFound] = [get(showAtom), get(todayAtom), get(foundAtom)]
  return (item: Item) => (show === 'all' || isInUse(item, today) === (show === 'in-use')) && isFound(item)
})

const isFilteredAtom = atom((get) => get(showAtom) !== 'all' || get(isFindingAtom))

/** The props of a view of a bike's log. */
export type ViewProps = {
  gearId: number
  items: readonly Item[]
  /** The filtered items in the chosen order. */
  shown: readonly Item[]
  isUpdating: boolean
}

/** A function that filters and sorts a bike's items. */
export const selectionAtom = atomFamily((bikeId: number) =>
  atom((get) => {
    const [order, isGrouped] = [get(orderAtom), get(isGroupedAtom)]
    const isKept = get(isFilteredAtom) ? get(filterAtom(bikeId)) : () => true
    const needsUsage = order.key === 'useMiles' || order.key === 'useTime'
    const usage = needsUsage ? get(usageAtom(bikeId)) : null
    const byItem = usage?.state === 'ready' ? usage.data.byItem : undefined
    return (items: readonly Item[]) => {
      const sorted = sortItems(items.filter(isKept), order, byItem)
      return isGrouped ? sortItems(sorted, { key: 'type', desc: false }) : sorted
    }
  }),
)

/** A filter for the chosen items. It also keeps items that the owner is editing. */
const filterAtom = atomFamily((bikeId: number) =>
  atom((get) => {
    const matches = get(matchesAtom)
    const held = new Set([get(heldItemAtom), get(openItemIdAtom), ...get(draftedItemsAtom(bikeId))])
    return (item: Item) => matches(item) || held.has(item.id) || held.has(knownAs(item))
  }),
)

/** A function that says what was found, or that the choice hides every item, and counts what is hidden. Null: nothing to say. */
export const foundLineAtom = atom((get) => {
  const [show, isFinding, matches, isFound] = [
    get(showAtom),
    get(isFindingAtom),
    get(matchesAtom),
    get(foundAtom),
  ]
  return (items: readonly Item[]) => {
    const shown = items.filter(matches).length
    const hidden = items.filter(isFound).length - shown
    if (isFinding)
      return { says: shown === 0 ? 'Nothing found.' : `${counted(shown, 'entry', 'entries')} found`, hidden }
    if (shown > 0 || hidden === 0) return null
    return { says: show === 'ended' ? 'Nothing has ended.' : 'Nothing is in use.', hidden }
  }
})

/** A function that returns the cost of the chosen items: `In use: $450.00`. Empty while all are shown. */
export const shownCostAtom = atom((get) => {
  const [show, matches, formats] = [get(showAtom), get(matchesAtom), get(formatsAtom)]
  const label = get(isFindingAtom) ? 'Found' : SHOW_OPTIONS.find(({ value }) => value === show)?.label
  const isFiltered = get(isFilteredAtom)
  return (items: readonly Item[]) =>
    isFiltered ? `${label}: ${totalCost(items.filter(matches), formats)}` : ''
})

/** Sorts items by a column. Missing values come last in both directions; items with equal values keep their order. */
export function sortItems(
  items: readonly Item[],
  { key, desc }: Order,
  usage?: Usage['byItem'],
): readonly Item[] {
  if (key === DEFAULT_ORDER.key && desc === DEFAULT_ORDER.desc) return items
  return sortBy(items, (item) => valueOf(item, key, usage), desc)
}

function valueOf(item: Item, key: OrderKey, usage?: Usage['byItem']): string | number | null {
  switch (key) {
    case 'type':
      return item.type === null ? null : TYPES.findIndex((type) => type === item.type)
    case 'useMiles':
      return usage?.get(item.id)?.distance ?? null
    case 'useTime':
      return usage?.get(item.id)?.moving_time ?? null
    default:
      return item[key]
  }
}
