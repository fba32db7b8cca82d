import { useAtomValue } from 'jotai'

import { Scroller, TableHead } from '../../../components/tables.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import {
  counted,
  formatCount,
  formatDuration,
  formatRiding,
  type Formats,
  MISSING,
  useFormats,
} from '../../../lib/formats.ts'
import type { Timeline } from '../../../../supabase/functions/maintenance-use/contract.ts'
import { formatAtEnds } from '../../entries/at-ends.ts'
import { formatInAll } from '../../entries/earlier.ts'
import { FIELDS, isWork, type Item, textsIn, totalCost } from '../../entries/fields.ts'
import { FieldText } from '../../entries/FieldText.tsx'
import { PositionBeside } from '../../entries/Beside.tsx'
import type { Usage } from '../../entries/usage-api.ts'
import { PassportFiles } from '../../files/PassportFiles.tsx'
import { type Done, type Group, groupsOf, type Line, paidIn } from './lines.ts'
import styles from '../parts-on-day/Sheet.module.css'

type Props = {
  items: Item[]
  usage: Usage
  /** Null: the list has no services. */
  services: Timeline['services'] | null
  hasPrices: boolean
}

export function EntryTable({ items, usage, services, hasPrices }: Props) {
  const formats = useFormats()
  const { name, distance } = formats
  const today = useAtomValue(todayAtom)
  const { total } = usage
  const numbers = [`Use ${name}`, services ? 'Days' : 'Use Time', ...(hasPrices ? ['Cost'] : [])]
  const done = services ? `, ${counted(services.length, 'service')}` : ''
  return (
    <>
      <p>{`${services ? 'Passport' : 'Parts list'}, ${formats.day(today)}`}</p>
      <p className={styles.totals}>
        {`${distance.format(total.distance)} and ${formatRiding(total.moving_time)} in ${formatCount(total.rides)} rides recorded with Ride with GPS${done}`}
      </p>
      <Scroller label="Parts">
        <table className="plain-table">
          <TableHead
            headers={['Type', 'Name', 'Start', 'End', ...numbers]}
            classOf={(header) => (numbers.includes(header) ? 'number' : undefined)}
          />
          {groupsOf(items, services, today).map((group) => (
            <tbody key={group.heading}>
              <GroupHead {...group} hasPrices={hasPrices} />
              {group.lines.map((line) => (
                <LineRow
                  key={line.item?.id ?? line.done[0].name}
                  line={line}
                  usage={usage}
                  isPassport={services !== null}
                  hasPrices={hasPrices}
                />
              ))}
            </tbody>
          ))}
          {hasPrices && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={6}>
                  Total Cost:
                </th>
                <td className="number">{totalCost(items, formats)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      </Scroller>
    </>
  )
}

function GroupHead({ heading, lines, hasPrices }: Group & { hasPrices: boolean }) {
  const formats = useFormats()
  return (
    <tr className={styles.group}>
      <th scope="rowgroup" colSpan={6}>
        {`${heading} (${lines.length})`}
      </th>
      {hasPrices && <td className="number">{totalCost(lines.flatMap(paidIn), formats)}</td>}
    </tr>
  )
}

type LineProps = { line: Line; usage: Usage; isPassport: boolean; hasPrices: boolean }

function LineRow({ line, usage, isPassport, hasPrices }: LineProps) {
  const formats = useFormats()
  const { item, done } = line
  // A passport counts only what parts were ridden.
  const totals = item && !(isPassport && isWork(item)) ? usage.byItem.get(item.id) : null
  const part = totals && isPassport ? usage.byPart.get(item!.part_id) : undefined
  const services = done.map((one) => doneText(one, { isNamed: item !== null, hasPrices, formats }))
  return (
    <tr>
      <td className={styles.type}>{item?.type}</td>
      <td className={styles.name}>
        <span>{item?.name ?? done[0]?.name}</span>
        {item && <PositionBeside item={item} />}
        {item &&
          textsIn(isPassport ? 'passport' : 'parts list', item).map(({ field, text }) => (
            <p key={field}>
              <FieldText field={field} text={text} />
            </p>
          ))}
        {services.length > 0 && <p>{services.join(' · ')}</p>}
        {isPassport && item && <PassportFiles itemId={item.id} />}
      </td>
      <td className={styles.start}>{item && FIELDS.dateStarted.format(item.dateStarted, formats)}</td>
      <td className={styles.end}>{item && (FIELDS.dateEnded.format(item.dateEnded, formats) || MISSING)}</td>
      <td className={styles.distance}>
        {totals !== null && formats.distance.format(totals?.distance)}
        {part && part.distance !== totals?.distance && <p>{formatInAll(part, formats)}</p>}
        {formatAtEnds(part?.by_position, formats).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </td>
      {totals && isPassport ? (
        <td className={styles.time} data-unit={totals.days === 1 ? ' day' : ' days'}>
          {formatCount(totals.days)}
        </td>
      ) : (
        <td className={styles.time}>{totals !== null && formatDuration(totals?.moving_time)}</td>
      )}
      {hasPrices && <td className={styles.cost}>{totalCost(paidIn(line), formats)}</td>}
    </tr>
  )
}

type TextOptions = { isNamed: boolean; hasPrices: boolean; formats: Formats }

/** Formats what was done: `Wax: 38 times, last 11/12/2026, $24.00`. */
function doneText({ name, count, last, paid }: Done, { isNamed, hasPrices, formats }: TextOptions): string {
  const times = count === 1 ? formats.day(last) : `${formatCount(count)} times, last ${formats.day(last)}`
  const cost = hasPrices && isNamed && paid.length > 0 ? `, ${totalCost(paid, formats)}` : ''
  return `${isNamed ? `${name}: ` : ''}${times}${cost}`
}
