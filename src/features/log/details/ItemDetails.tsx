import { useAtomValue, useSetAtom } from 'jotai'

import { ResourceView } from '../../../components/ResourceView.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { isTwoLineAtom } from '../../../lib/screen.ts'
import { isWork, type Item } from '../../entries/fields.ts'
import { partDetailsAtom } from '../../entries/usage.ts'
import { Files } from '../../files/Files.tsx'
import { PartCost } from '../../lifetimes/PartCost.tsx'
import { Wear } from './wear/Wear.tsx'
import { PartService } from '../../service/TaskList.tsx'
import { DetailFields } from './DetailFields.tsx'
import { History, Lifetime } from './History.tsx'
import styles from './ItemDetails.module.css'
import { PartActions } from './PartActions.tsx'
import { PartKind } from './PartKind.tsx'

/** Renders the content of the `Details of <name>` region. */
export default function ItemDetails({ item }: { item: Item }) {
  const details = useAtomValue(partDetailsAtom(item))
  const reload = useSetAtom(partDetailsAtom(item).reloadAtom)
  const isTwoLine = useAtomValue(isTwoLineAtom)
  const part = details.state === 'ready' ? details.data : null
  return (
    <div className={styles.details} aria-busy={details.state === 'ready' && details.updating}>
      {isTwoLine && <Files item={item} />}
      <PartActions item={item} />
      <PartService item={item} />
      <div className={styles.side}>
        <ResourceView
          resource={details}
          failed="The details could not be loaded."
          retry={reload}
          loading={<Skeleton width="100%" height="6rem" />}
        >
          {(data) => (
            <>
              <Lifetime item={item} part={data} />
              <PartCost partId={item.part_id} group={data.group} />
              <History item={item} periods={data.periods} />
            </>
          )}
        </ResourceView>
        <DetailFields item={item} />
        {!isWork(item) && <PartKind item={item} />}
      </div>
      {!isTwoLine && <Files item={item} />}
      {/* Work doesn't wear. */}
      {part && !isWork(item) && <Wear item={item} wear={part.wear} />}
    </div>
  )
}
