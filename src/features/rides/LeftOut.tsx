import { counted } from '../../lib/formats.ts'

/** Says how many rides a chart leaves out because their day is doubtful. Renders nothing for none. */
export function LeftOut({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="note">
      {`${counted(count, 'ride')} with a doubtful date ${count === 1 ? 'is' : 'are'} left out: see To check in the Garage.`}
    </p>
  )
}
