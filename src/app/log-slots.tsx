import { atom, useAtomValue } from 'jotai'
import { atomFamily } from 'jotai-family'
import { unwrap } from 'jotai/utils'

import { Skeleton } from '../components/Skeleton.tsx'
import type { Item } from '../features/items/fields.ts'
import { logAtom } from '../features/items/log.ts'
import type { LogSlots } from '../features/log/DetailsRow.tsx'
import { UseNote } from '../features/log/UseCells.tsx'
import { NextTask } from '../features/service/DueLine.tsx'
import { usageAtom } from '../features/items/usage.ts'
import { unitsAtom } from '../lib/chosen-units.ts'
import { timelineModuleAtom } from './pages.tsx'

// A separate chunk, because most visits open no details.
const detailsModuleAtom = unwrap(atom(() => import('./LogDetails.tsx')))

/** What other features add to the log. */
export const LOG_SLOTS: LogSlots = {
  renderDetails: (item) => <Details item={item} />,
  renderLine: (item) => <Line item={item} />,
  renderTimeline: (gearId, items) => <Timeline gearId={gearId} items={items} />,
  renderUseNote: (item) => (
    <UseNote>
      <LifetimeNote item={item} />
      <NextTask item={item} />
    </UseNote>
  ),
}

function Timeline(props: { gearId: number; items: readonly Item[] }) {
  const timeline = useAtomValue(timelineModuleAtom)
  return timeline ? <timeline.Timeline {...props} /> : <Skeleton width="100%" height="60dvh" />
}

function Details({ item }: { item: Item }) {
  const details = useAtomValue(detailsModuleAtom)
  return details ? <details.LogDetails item={item} /> : <Skeleton width="100%" height="6rem" />
}

function Line({ item }: { item: Item }) {
  const details = useAtomValue(detailsModuleAtom)
  return details ? <details.ReplaceLine item={item} /> : null
}

/** By bike, the parts with several items in its log. */
const repeatedPartsAtom = atomFamily((gearId: number) =>
  atom((get) => {
    const log = get(logAtom(gearId))
    const parts = log.state === 'ready' ? log.data.map(({ part_id }) => part_id) : []
    return new Set(parts.filter((part, index) => parts.indexOf(part) !== index))
  }),
)

/** The lifetime of an item's part, if it was ridden on other bikes or at other times, too. */
function LifetimeNote({ item }: { item: Item }) {
  const usage = useAtomValue(usageAtom(item.bikeId))
  const isRepeated = useAtomValue(repeatedPartsAtom(item.bikeId)).has(item.part_id)
  const { distance } = useAtomValue(unitsAtom)
  // Reserves the line, so the log doesn't jump.
  if (usage.state === 'loading') return isRepeated ? <span>&nbsp;</span> : null
  if (usage.state === 'failed') return null
  const ridden = usage.data.byItem.get(item.id)
  const lifetime = usage.data.byPart.get(item.part_id)
  if (!ridden || !lifetime) return null
  const [here, inAll] = [distance.format(ridden.distance), distance.format(lifetime.distance)]
  return here === inAll ? null : <span>{`${inAll} in all`}</span>
}
