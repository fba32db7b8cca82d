import { atom, useAtomValue } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { type ReactNode, useMemo } from 'react'

import { Waits } from '../../../components/Waits.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { formatDuration, MISSING, useFormats } from '../../../lib/formats.ts'
import { weakFamily } from '../../../lib/weak-family.ts'
import { InclEarlier } from '../../entries/InclEarlier.tsx'
import type { UsageTotals } from '../../entries/usage-api.ts'
import { drillDownHref, ridesSortAtom } from '../../entries/links.ts'
import { usageAtom } from '../../entries/usage.ts'
import type { Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { NextTask } from '../../service/DueLine.tsx'
import { nameId } from '../../entries/jump.ts'
import styles from './UseCells.module.css'

/** Shows what is next for an item, and its part's lifetime if that differs. */
export function UseNote({ item }: { item: Item }) {
  return (
    <div className={styles.note} data-note>
      <Waits relation="maintenance" id={item.id} />
      <LifetimeNote item={item} />
      <NextTask item={item} />
    </div>
  )
}

type ItemKey = Pick<Item, 'id' | 'bikeId'>

type CellProps = {
  as: 'td' | 'div'
  item: ItemKey
  field: 'useMiles' | 'useTime'
  /** Omits the link, on lines whose Use Miles link also covers the time. */
  isPlain?: boolean
  children?: ReactNode
}

/** Shows the previous value while usage is recalculated. */
export function UseCell({ as: Cell, item, field, isPlain = false, children }: CellProps) {
  const usage = useUsage(item)
  const sort = useAtomValue(ridesSortAtom)
  const { distance } = useFormats()
  const format = ({ distance: meters, moving_time }: UsageTotals) =>
    field === 'useMiles' ? distance.format(meters) : formatDuration(moving_time)
  const isLoading = usage === 'loading'
  const totals = isLoading ? null : usage.totals
  return (
    <Cell data-field={field} className={styles.use} aria-busy={isLoading || usage.updating}>
      {isLoading && <Skeleton width="4rem" height="1rem" />}
      {!isLoading && totals === null && <span>{MISSING}</span>}
      {totals !== null && isPlain && format(totals)}
      {totals !== null && !isPlain && (
        <a href={drillDownHref(item.bikeId, item.id, sort)} aria-describedby={nameId(item)}>
          {format(totals)}
        </a>
      )}
      {children}
    </Cell>
  )
}

function useUsage({ id, bikeId }: ItemKey) {
  const useOfItemAtom = useMemo(
    () =>
      selectAtom(usageAtom(bikeId), (usage) => {
        if (usage.state === 'loading') return 'loading'
        if (usage.state === 'failed') return { totals: null, updating: false }
        const totals = usage.data.byItem.get(id) ?? null
        return totals === null && usage.updating ? 'loading' : { totals, updating: usage.updating }
      }),
    [id, bikeId],
  )
  return useAtomValue(useOfItemAtom)
}

/** The ids of the parts with several items in a bike's log. */
const repeatedPartsAtom = weakFamily((gearId: number) =>
  atom((get) => {
    const log = get(logAtom(gearId))
    const parts = log.state === 'ready' ? log.data.map(({ part_id }) => part_id) : []
    return new Set(parts.filter((part, index) => parts.indexOf(part) !== index))
  }),
)

/** Shows the part's lifetime if it includes more than this item. */
function LifetimeNote({ item }: { item: Item }) {
  const usage = useAtomValue(usageAtom(item.bikeId))
  const isRepeated = useAtomValue(repeatedPartsAtom(item.bikeId)).has(item.part_id)
  const { distance } = useFormats()
  // Reserves the line, so the log doesn't jump.
  if (usage.state === 'loading') return isRepeated ? <span>&nbsp;</span> : null
  if (usage.state === 'failed') return null
  const totals = usage.data.byItem.get(item.id)
  const lifetime = usage.data.byPart.get(item.part_id)
  if (!totals || !lifetime) return null
  const [here, total] = [totals, lifetime].map((of) => distance.format(of.distance))
  if (here === total) return null
  return (
    <span>
      {`${total} total`}
      <InclEarlier part={lifetime} axis="distance" />
    </span>
  )
}
