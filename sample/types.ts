/** A row of the legacy trip list: metres, seconds, km/h and UTC times, with the nulls that real accounts have. */
export interface Trip {
  id: number
  group_membership_id: number | null
  route_id: number | null
  created_at: string
  gear_id: number | null
  departed_at: string
  /** Seconds; `H:MM:SS` in records of the early days; null when the ride was entered by hand. */
  duration: number | string | null
  distance: number
  elevation_gain: number
  elevation_loss: number
  visibility: number
  description: string | null
  is_gps: boolean
  name: string
  max_hr: number | null
  min_hr: number | null
  avg_hr: number | null
  max_cad: number | null
  min_cad: number | null
  avg_cad: number | null
  avg_speed: number | null
  max_speed: number | null
  /** As `duration`. */
  moving_time: number | string | null
  processed: boolean
  /** Estimated where `max_watts` is null. */
  avg_watts: number | null
  max_watts: number | null
  min_watts: number | null
  is_stationary: boolean
  calories: number | null
  updated_at: string
  /** IANA name, or a Rails one on old records. */
  time_zone: string
  first_lng: number | null
  first_lat: number | null
  last_lng: number | null
  last_lat: number | null
  user_id: number
  deleted_at: null
  /** The box is 180, 90, -180, -90 where there is no track. */
  sw_lng: number
  sw_lat: number
  ne_lng: number
  ne_lat: number
  track_id: string
  postal_code: null
  locality: string | null
  administrative_area: string | null
  country_code: string | null
  source_type: string | null
  likes_count: number
  track_type: 'loop' | 'out_and_back' | 'point_to_point' | 'unknown'
  terrain: 'flat' | 'rolling' | 'climbing' | 'unknown'
  difficulty: 'casual' | 'easy' | 'moderate' | 'hard' | 'unknown'
  activity_type_id: number
  activity_category_id: number
  vam: number
  work: number | null
  max_grade: number | null
  fit_sport: number
  fit_sub_sport: number
  hr_zones: Record<'1' | '2' | '3' | '4' | '5', number> | null
  fit_product: number | null
  /** 0: no photo. */
  highlighted_photo_id: number
  highlighted_photo_checksum: string | null
  /** Seconds of the standard time, in summer too. */
  utc_offset: number
}

/** A bike of `user.gear`. */
export interface Gear {
  id: number
  make: string
  model: string
  year: number | null
  description: string
  group_membership_id: number
  gear_type_id: null
  gear_model_id: number | null
  created_at: string
  exclude_from_totals: boolean
  nickname: string | null
  serial_number: string | null
  weight: number | null
  visibility: number
  archived: boolean
  use_user_timezone: boolean
  project_529_id: null
  default_activity_type_id: number | null
  name: string
}
