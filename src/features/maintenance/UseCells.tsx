import { useAtomValue } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { useMemo } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { formatDuration, MISSING } from '../../lib/formats.ts'
import { type Ridden, drillDownHref, usageAtom } from '../usage'
import type { Item } from './api.ts'
import styles from './UseCells.module.css'

type Used = Pick<Item, 'id' | 'bikeId'>

export function UseMilesHeader() {
  return `Use ${useAtomValue(unitsAtom).name}`
}

export function UseMilesCell({ item }: { item: Used }) {
  const { distance } = useAtomValue(unitsAtom)
  return <Use item={item} format={(ridden) => distance.format(ridden.distance)} />
}

export function UseTimeCell({ item }: { item: Used }) {
  return <Use item={item} format={(ridden) => formatDuration(ridden.moving_time)} />
}

/** Leads to the rides that were counted. An old value stays while it is counted again, and says so. */
function Use({ item, format }: { item: Used; format: (ridden: Ridden) => string }) {
  const used = useUsage(item)
  const isCounting = used === 'counting'
  return (
    <td className={styles.use} aria-busy={isCounting || used.updating}>
      {isCounting && <Skeleton width="4rem" height="1rem" />}
      {!isCounting && used.ridden === null && MISSING}
      {!isCounting && used.ridden !== null && (
        <a href={drillDownHref(item.bikeId, item.id)}>{format(used.ridden)}</a>
      )}
    </td>
  )
}

function useUsage({ id, bikeId }: Used) {
  const atom = useMemo(
    () =>
      selectAtom(usageAtom(bikeId), (usage) => {
        if (usage.state === 'loading') return 'counting'
        if (usage.state === 'failed') return { ridden: null, updating: false }
        const ridden = usage.data.byItem.get(id) ?? null
        return ridden === null && usage.updating ? 'counting' : { ridden, updating: usage.updating }
      }),
    [id, bikeId],
  )
  return useAtomValue(atom)
}
