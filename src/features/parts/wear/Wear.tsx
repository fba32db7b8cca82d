import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { useReadOnly } from '../../../components/read-only.ts'
import { useFormats } from '../../../lib/formats.ts'
import type { Item } from '../../items/fields.ts'
import { usageAtom } from '../../items/usage.ts'
import { InclEarlier } from '../InclEarlier.tsx'
import { kindOf, wearUnitOf } from '../kinds.ts'
import type { Measurement, Wear as Data, WearSeries } from './api.ts'
import { removeMeasurementAtom } from './atoms.ts'
import { MeasurementDialog } from './MeasurementDialog.tsx'
import styles from './Wear.module.css'
import { WearChart } from './WearChart.tsx'
import { estimateMessage, formatReading } from './measurements.ts'

export function Wear({ item, wear }: { item: Item; wear: Data }) {
  const readOnly = useReadOnly()
  const [opened, setOpened] = useState<Measurement | 'new' | null>(null)
  const unit = wearUnitOf(kindOf(useAtomValue(usageAtom(item.bikeId)), item))
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
        <OfOneTool
          key={`${one.unit}/${one.tool}`}
          series={one}
          wear={wear}
          partId={item.part_id}
          onEdit={setOpened}
        />
      ))}
      <button type="button" className={styles.add} {...readOnly} onClick={() => setOpened('new')}>
        Add measurement
      </button>
      {opened !== null && (
        <MeasurementDialog
          item={item}
          unit={unit}
          measurement={opened === 'new' ? null : opened}
          latest={latest}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  )
}

type Props = { series: WearSeries; wear: Data; partId: number; onEdit: (measurement: Measurement) => void }

function OfOneTool({ series, wear, partId, onEdit }: Props) {
  const formats = useFormats()
  const remove = useSetAtom(removeMeasurementAtom)
  const readOnly = useReadOnly()
  const { unit, tool, limit, measurements } = series
  const title = [unit, tool].filter(Boolean).join(', ')
  return (
    <div className={styles.series}>
      <p>
        {title} <span className="soft">{limit === null ? '' : `limit ${limit}`}</span>
      </p>
      <WearChart series={series} distance={wear.distance} />
      <p>{estimateMessage(series, wear, formats)}</p>
      <table className={styles.table} aria-label={`Measurements in ${title}`}>
        <thead className="visually-hidden">
          <tr>
            {['Day', formats.name, unit, 'Note', 'Actions'].map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measurements.toReversed().map((measurement) => {
            const day = formats.day(measurement.measured_on)
            return (
              <tr key={measurement.id}>
                <th scope="row">{day}</th>
                <td>{formats.distance.format(measurement.distance)}</td>
                <td>{formatReading(measurement)}</td>
                <td className={styles.note}>{measurement.note}</td>
                <td>
                  <button
                    type="button"
                    className="quiet"
                    aria-label={`Edit measurement of ${day}`}
                    {...readOnly}
                    onClick={() => onEdit(measurement)}
                  >
                    Edit
                  </button>
                  <button
                    type="button"
                    className="quiet"
                    aria-label={`Remove measurement of ${day}`}
                    {...readOnly}
                    onClick={() => void remove(partId, measurement)}
                  >
                    Remove
                  </button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
