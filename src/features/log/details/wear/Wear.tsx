import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { Waits } from '../../../../components/Waits.tsx'
import { todayAtom } from '../../../../lib/clock.ts'
import { useReadOnly } from '../../../../components/read-only.ts'
import { TableHead } from '../../../../components/tables.tsx'
import { useFormats } from '../../../../lib/formats.ts'
import type { Item } from '../../../entries/fields.ts'
import { InclEarlier } from '../../../entries/InclEarlier.tsx'
import { closeFormAtom, openFormAtom, openItemIdAtom } from '../../../entries/open-item.ts'
import { wearUnitOf } from '../../../entries/kinds.ts'
import type { Measurement, Wear as Data, WearSeries } from './api.ts'
import { removeMeasurementAtom } from './atoms.ts'
import { MeasurementDialog } from './MeasurementDialog.tsx'
import styles from './Wear.module.css'
import { WearChart } from './WearChart.tsx'
import { estimateMessage, formatReading } from './measurements.ts'

export function Wear({ item, wear }: { item: Item; wear: Data }) {
  const readOnly = useReadOnly('add_measurement')
  const [chosen, setChosen] = useState<Measurement | 'new' | null>(null)
  // A line in Due opens it by its address.
  const [form, openId] = [useAtomValue(openFormAtom), useAtomValue(openItemIdAtom)]
  const isAsked = form === 'measure' && openId === item.id
  const closeForm = useSetAtom(closeFormAtom)
  const opened = chosen ?? (isAsked ? 'new' : null)
  const unit = wearUnitOf(item.kind ?? null)
  const { series } = wear
  if (unit === null && series.length === 0) return null
  const latest = series
    .flatMap(({ measurements }) => measurements)
    .toSorted((a, b) => (a.measured_on < b.measured_on ? -1 : 1))
    .at(-1)
  return (
    <section className={styles.wear} aria-label="Wear" data-measured={series.length > 0 ? '' : undefined}>
      <h3 className="heading">Wear</h3>
      {series.length > 0 && <InclEarlier part={{ ...wear, earlier_moving_time: null }} />}
      {series.map((one) => (
        <OfOneTool key={`${one.unit}/${one.tool}`} series={one} wear={wear} onEdit={setChosen} />
      ))}
      <button type="button" className={styles.add} {...readOnly} onClick={() => setChosen('new')}>
        Add measurement
      </button>
      {opened !== null && (
        <MeasurementDialog
          item={item}
          unit={unit}
          measurement={opened === 'new' ? null : opened}
          latest={latest}
          onClose={() => {
            setChosen(null)
            if (isAsked) closeForm()
          }}
        />
      )}
    </section>
  )
}

type Props = { series: WearSeries; wear: Data; onEdit: (measurement: Measurement) => void }

function OfOneTool({ series, wear, onEdit }: Props) {
  const formats = useFormats()
  const remove = useSetAtom(removeMeasurementAtom)
  const [edit, removal] = [useReadOnly('edit_row'), useReadOnly()]
  const { unit, tool, limit, measurements } = series
  const today = useAtomValue(todayAtom)
  // How far the part was on a past day is unknown until the measurement is sent.
  const isPlaced = ({ id, measured_on }: Measurement) => id > 0 || measured_on >= today
  const title = [unit, tool].filter(Boolean).join(', ')
  return (
    <div className={styles.series}>
      <p>
        {title} <span className="soft">{limit === null ? '' : `limit ${limit}`}</span>
      </p>
      <WearChart
        series={{ ...series, measurements: measurements.filter(isPlaced) }}
        distance={wear.distance}
      />
      <p>{estimateMessage(series, wear, formats)}</p>
      <table className={styles.table} aria-label={`Measurements in ${title}`}>
        <TableHead headers={['Day', formats.name, unit, 'Note', 'Actions']} isHidden />
        <tbody>
          {measurements.toReversed().map((measurement) => {
            const day = formats.day(measurement.measured_on)
            return (
              <tr key={measurement.id}>
                <th scope="row">
                  {day}
                  <Waits relation="wear_measurements" id={measurement.id} />
                </th>
                <td>{formats.distance.format(isPlaced(measurement) ? measurement.distance : null)}</td>
                <td>{formatReading(measurement)}</td>
                <td className={styles.note}>{measurement.note}</td>
                <td>
                  {[
                    { action: 'Edit', readOnly: edit, run: () => onEdit(measurement) },
                    { action: 'Remove', readOnly: removal, run: () => void remove(measurement) },
                  ].map(({ action, readOnly, run }) => (
                    <button
                      key={action}
                      type="button"
                      className="quiet"
                      aria-label={`${action} measurement of ${day}`}
                      {...readOnly}
                      onClick={run}
                    >
                      {action}
                    </button>
                  ))}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
