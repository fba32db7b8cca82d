import { useAtomValue } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { type ReactNode, useContext, useMemo } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { ROLES } from '../../components/table-roles.ts'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { formatDuration, MISSING } from '../../lib/formats.ts'
import type { Ridden } from '../items/usage-api.ts'
import { drillDownHref, ridesSortAtom } from '../items/links.ts'
import { usageAtom } from '../items/usage.ts'
import { LogSlotsContext } from './DetailsRow.tsx'
import type { Item } from '../items/fields.ts'
import styles from './LogTable.module.css'

/** A short, muted line below Use Miles. Without content, it isn't there. */
export function UseNote({ children }: { children: ReactNode }) {
  return (
    <div className={styles.below} data-note>
      {children}
    </div>
  )
}

type ItemKey = Pick<Item, 'id' | 'bikeId'>

export function UseMilesHeader() {
  return `Use ${useAtomValue(unitsAtom).name}`
}

export function UseMilesCell({ item }: { item: Item }) {
  const { distance } = useAtomValue(unitsAtom)
  const { renderUseNote } = useContext(LogSlotsContext)
  return (
    <Usage item={item} format={(ridden) => distance.format(ridden.distance)} note={renderUseNote?.(item)} />
  )
}

/** `isPlain`: without a link, where Use Miles has the same one. */
export function UseTimeCell({ item, isPlain = false }: { item: ItemKey; isPlain?: boolean }) {
  return <Usage item={item} format={(ridden) => formatDuration(ridden.moving_time)} isPlain={isPlain} />
}

type UsageProps = { item: ItemKey; format: (ridden: Ridden) => string; note?: ReactNode; isPlain?: boolean }

/** Links to the drill-down. The previous value stays while usage is recalculated. */
function Usage({ item, format, note, isPlain = false }: UsageProps) {
  const usage = useUsage(item)
  const sort = useAtomValue(ridesSortAtom)
  const isLoading = usage === 'loading'
  return (
    <td {...ROLES.cell} className={styles.use} aria-busy={isLoading || usage.updating}>
      {isLoading && <Skeleton width="4rem" height="1rem" />}
      {!isLoading && usage.ridden === null && MISSING}
      {!isLoading && usage.ridden !== null && isPlain && format(usage.ridden)}
      {!isLoading && usage.ridden !== null && !isPlain && (
        <a href={drillDownHref(item.bikeId, item.id, sort)}>{format(usage.ridden)}</a>
      )}
      {note}
    </td>
  )
}

function useUsage({ id, bikeId }: ItemKey) {
  const atom = useMemo(
    () =>
      selectAtom(usageAtom(bikeId), (usage) => {
        if (usage.state === 'loading') return 'loading'
        if (usage.state === 'failed') return { ridden: null, updating: false }
        const ridden = usage.data.byItem.get(id) ?? null
        return ridden === null && usage.updating ? 'loading' : { ridden, updating: usage.updating }
      }),
    [id, bikeId],
  )
  return useAtomValue(atom)
}
