
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "public": {
          Tables: {
            "attached_logs": {
                  Row: {
                    "former_gear_id": number,"gear_id": number,"id": number
                  }
                  ComputedFields: never
                  Insert: {
                    "former_gear_id": number,"gear_id": number,"id"?: number
                  }
                  Update: {
                    "former_gear_id"?: number,"gear_id"?: number,"id"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "attached_logs_former_gear_id_fkey"
      columns: ["former_gear_id"]
isOneToOne: true
      referencedRelation: "bikes"
      referencedColumns: ["gear_id"]
    },{
      foreignKeyName: "attached_logs_gear_id_fkey"
      columns: ["gear_id"]
isOneToOne: false
      referencedRelation: "bikes"
      referencedColumns: ["gear_id"]
    }
                  ]
                },"bike_details": {
                  Row: {
                    "color": string | null,"gear_id": number,"id": number,"serial_number": string | null,"size": string | null,"sold_for": number | null,"sold_on": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "color"?: string | null,"gear_id": number,"id"?: number,"serial_number"?: string | null,"size"?: string | null,"sold_for"?: number | null,"sold_on"?: string | null
                  }
                  Update: {
                    "color"?: string | null,"gear_id"?: number,"id"?: number,"serial_number"?: string | null,"size"?: string | null,"sold_for"?: number | null,"sold_on"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "bike_details_gear_id_fkey"
      columns: ["gear_id"]
isOneToOne: true
      referencedRelation: "bikes"
      referencedColumns: ["gear_id"]
    }
                  ]
                },"bikes": {
                  Row: {
                    "brand": string | null,"gear_id": number,"in_use_since": string | null,"is_listed": boolean,"is_retired": boolean,"model": string | null,"name": string,"attached_to": number | null,"counts_as_retired": boolean | null,"list_order": number | null
                  }
                  ComputedFields: "attached_to" | "counts_as_retired" | "list_order"
                  Insert: {
                    "brand"?: string | null,"gear_id": number,"in_use_since"?: string | null,"is_listed"?: boolean,"is_retired"?: boolean,"model"?: string | null,"name": string
                  }
                  Update: {
                    "brand"?: string | null,"gear_id"?: number,"in_use_since"?: string | null,"is_listed"?: boolean,"is_retired"?: boolean,"model"?: string | null,"name"?: string
                  }
                  Relationships: [
                    
                  ]
                },"changes": {
                  Row: {
                    "after": Json | null,"before": Json | null,"change": string,"changed_at": string,"command": string | null,"id": number,"relation": string,"row_id": number
                  }
                  ComputedFields: never
                  Insert: {
                    "after"?: Json | null,"before"?: Json | null,"change": string,"changed_at"?: string,"command"?: string | null,"id"?: number,"relation": string,"row_id": number
                  }
                  Update: {
                    "after"?: Json | null,"before"?: Json | null,"change"?: string,"changed_at"?: string,"command"?: string | null,"id"?: number,"relation"?: string,"row_id"?: number
                  }
                  Relationships: [
                    
                  ]
                },"dismissed_checks": {
                  Row: {
                    "dismissed_at": string,"id": number,"key": string
                  }
                  ComputedFields: never
                  Insert: {
                    "dismissed_at"?: string,"id"?: number,"key": string
                  }
                  Update: {
                    "dismissed_at"?: string,"id"?: number,"key"?: string
                  }
                  Relationships: [
                    
                  ]
                },"entry_files": {
                  Row: {
                    "added_at": string,"id": number,"in_passport": boolean,"item_id": number,"media_type": string,"name": string,"sha256": string,"size": number
                  }
                  ComputedFields: never
                  Insert: {
                    "added_at"?: string,"id"?: number,"in_passport"?: boolean,"item_id": number,"media_type": string,"name": string,"sha256": string,"size": number
                  }
                  Update: {
                    "added_at"?: string,"id"?: number,"in_passport"?: boolean,"item_id"?: number,"media_type"?: string,"name"?: string,"sha256"?: string,"size"?: number
                  }
                  Relationships: [
                    
                  ]
                },"maintenance": {
                  Row: {
                    "bikeId": number,"cost": number,"dateEnded": string | null,"dateStarted": string,"description": string | null,"ended_as": string | null,"id": number,"link": string | null,"name": string,"part_id": number,"position": string | null,"replaces": number | null,"type": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "bikeId": number,"cost"?: number,"dateEnded"?: string | null,"dateStarted"?: string,"description"?: string | null,"ended_as"?: string | null,"id"?: number,"link"?: string | null,"name": string,"part_id"?: number,"position"?: string | null,"replaces"?: number | null,"type"?: string | null
                  }
                  Update: {
                    "bikeId"?: number,"cost"?: number,"dateEnded"?: string | null,"dateStarted"?: string,"description"?: string | null,"ended_as"?: string | null,"id"?: number,"link"?: string | null,"name"?: string,"part_id"?: number,"position"?: string | null,"replaces"?: number | null,"type"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "maintenance_bikeId_fkey"
      columns: ["bikeId"]
isOneToOne: false
      referencedRelation: "bikes"
      referencedColumns: ["gear_id"]
    },{
      foreignKeyName: "maintenance_part_id_fkey"
      columns: ["part_id"]
isOneToOne: false
      referencedRelation: "parts"
      referencedColumns: ["id"]
    }
                  ]
                },"parts": {
                  Row: {
                    "earlier_distance": number | null,"earlier_moving_time": number | null,"id": number,"kind": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "earlier_distance"?: number | null,"earlier_moving_time"?: number | null,"id"?: number,"kind"?: string | null
                  }
                  Update: {
                    "earlier_distance"?: number | null,"earlier_moving_time"?: number | null,"id"?: number,"kind"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"ride_changes": {
                  Row: {
                    "avg_cad": number | null,"avg_hr": number | null,"avg_speed": number | null,"avg_watts": number | null,"distance": number | null,"duration": number | null,"elevation_gain": number | null,"gear_id": number | null,"id": number,"is_after": boolean,"is_stationary": boolean,"max_hr": number | null,"max_speed": number | null,"max_watts": number | null,"moving_time": number | null,"name": string | null,"ride_id": number,"started_at": string | null,"sync_id": number,"time_zone": string
                  }
                  ComputedFields: never
                  Insert: {
                    "avg_cad"?: number | null,"avg_hr"?: number | null,"avg_speed"?: number | null,"avg_watts"?: number | null,"distance"?: number | null,"duration"?: number | null,"elevation_gain"?: number | null,"gear_id"?: number | null,"id"?: never,"is_after": boolean,"is_stationary": boolean,"max_hr"?: number | null,"max_speed"?: number | null,"max_watts"?: number | null,"moving_time"?: number | null,"name"?: string | null,"ride_id": number,"started_at"?: string | null,"sync_id": number,"time_zone": string
                  }
                  Update: {
                    "avg_cad"?: number | null,"avg_hr"?: number | null,"avg_speed"?: number | null,"avg_watts"?: number | null,"distance"?: number | null,"duration"?: number | null,"elevation_gain"?: number | null,"gear_id"?: number | null,"id"?: never,"is_after"?: boolean,"is_stationary"?: boolean,"max_hr"?: number | null,"max_speed"?: number | null,"max_watts"?: number | null,"moving_time"?: number | null,"name"?: string | null,"ride_id"?: number,"started_at"?: string | null,"sync_id"?: number,"time_zone"?: string
                  }
                  Relationships: [
                    
                  ]
                },"ride_syncs": {
                  Row: {
                    "added": number,"changed": number,"checked_at": string | null,"code": string | null,"digest": string | null,"fetched": number,"finished_at": string | null,"follows_check": boolean,"id": number,"list_count": number | null,"mismatch": string | null,"outcome": string,"pending_removals": number,"pending_since": number | null,"removed": number,"retry_at": string | null,"rwgps_user_id": number | null,"rwgps_user_name": string | null,"skipped": number,"skipped_rows": string,"started_at": string,"triggered_by": string
                  }
                  ComputedFields: never
                  Insert: {
                    "added"?: number,"changed"?: number,"checked_at"?: string | null,"code"?: string | null,"digest"?: string | null,"fetched"?: number,"finished_at"?: string | null,"follows_check"?: boolean,"id"?: never,"list_count"?: number | null,"mismatch"?: string | null,"outcome"?: string,"pending_removals"?: number,"pending_since"?: number | null,"removed"?: number,"retry_at"?: string | null,"rwgps_user_id"?: number | null,"rwgps_user_name"?: string | null,"skipped"?: number,"skipped_rows"?: string,"started_at"?: string,"triggered_by": string
                  }
                  Update: {
                    "added"?: number,"changed"?: number,"checked_at"?: string | null,"code"?: string | null,"digest"?: string | null,"fetched"?: number,"finished_at"?: string | null,"follows_check"?: boolean,"id"?: never,"list_count"?: number | null,"mismatch"?: string | null,"outcome"?: string,"pending_removals"?: number,"pending_since"?: number | null,"removed"?: number,"retry_at"?: string | null,"rwgps_user_id"?: number | null,"rwgps_user_name"?: string | null,"skipped"?: number,"skipped_rows"?: string,"started_at"?: string,"triggered_by"?: string
                  }
                  Relationships: [
                    
                  ]
                },"rides": {
                  Row: {
                    "avg_cad": number | null,"avg_hr": number | null,"avg_speed": number | null,"avg_watts": number | null,"created_at": string | null,"departed_at": string | null,"distance": number | null,"duration": number | null,"elevation_gain": number | null,"gear_id": number | null,"has_map": boolean,"highlighted_photo_id": number | null,"id": number,"is_stationary": boolean,"max_hr": number | null,"max_speed": number | null,"max_watts": number | null,"missing_since_sync": number | null,"moving_time": number | null,"name": string | null,"started_at": string | null,"time_zone": string,"updated_at": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "avg_cad"?: number | null,"avg_hr"?: number | null,"avg_speed"?: number | null,"avg_watts"?: number | null,"created_at"?: string | null,"departed_at"?: string | null,"distance"?: number | null,"duration"?: number | null,"elevation_gain"?: number | null,"gear_id"?: number | null,"has_map"?: boolean,"highlighted_photo_id"?: number | null,"id": number,"is_stationary"?: boolean,"max_hr"?: number | null,"max_speed"?: number | null,"max_watts"?: number | null,"missing_since_sync"?: number | null,"moving_time"?: number | null,"name"?: string | null,"started_at"?: never,"time_zone"?: string,"updated_at"?: string | null
                  }
                  Update: {
                    "avg_cad"?: number | null,"avg_hr"?: number | null,"avg_speed"?: number | null,"avg_watts"?: number | null,"created_at"?: string | null,"departed_at"?: string | null,"distance"?: number | null,"duration"?: number | null,"elevation_gain"?: number | null,"gear_id"?: number | null,"has_map"?: boolean,"highlighted_photo_id"?: number | null,"id"?: number,"is_stationary"?: boolean,"max_hr"?: number | null,"max_speed"?: number | null,"max_watts"?: number | null,"missing_since_sync"?: number | null,"moving_time"?: number | null,"name"?: string | null,"started_at"?: never,"time_zone"?: string,"updated_at"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"service_events": {
                  Row: {
                    "done_at": string,"id": number,"maintenance_id": number | null,"note": string | null,"part_id": number | null,"pressed_at": string | null,"task_id": number
                  }
                  ComputedFields: never
                  Insert: {
                    "done_at": string,"id"?: number,"maintenance_id"?: number | null,"note"?: string | null,"part_id"?: number | null,"pressed_at"?: string | null,"task_id": number
                  }
                  Update: {
                    "done_at"?: string,"id"?: number,"maintenance_id"?: number | null,"note"?: string | null,"part_id"?: number | null,"pressed_at"?: string | null,"task_id"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "service_events_maintenance_id_fkey"
      columns: ["maintenance_id"]
isOneToOne: true
      referencedRelation: "maintenance"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "service_events_part_id_fkey"
      columns: ["part_id"]
isOneToOne: false
      referencedRelation: "parts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "service_events_task_id_fkey"
      columns: ["task_id"]
isOneToOne: false
      referencedRelation: "service_tasks"
      referencedColumns: ["id"]
    }
                  ]
                },"service_tasks": {
                  Row: {
                    "counted_from": string | null,"due_on": string | null,"every_days": number | null,"every_distance": number | null,"every_moving_time": number | null,"gear_id": number | null,"group": number | null,"id": number,"kind": string,"name": string,"once": boolean,"outdoor_only": boolean,"part_id": number | null,"snoozed_distance": number | null,"snoozed_from": string | null,"snoozed_part": number | null,"snoozed_until": string | null,"with_task": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "counted_from"?: string | null,"due_on"?: string | null,"every_days"?: number | null,"every_distance"?: number | null,"every_moving_time"?: number | null,"gear_id"?: number | null,"group"?: number | null,"id"?: number,"kind"?: string,"name": string,"once"?: boolean,"outdoor_only"?: boolean,"part_id"?: number | null,"snoozed_distance"?: number | null,"snoozed_from"?: string | null,"snoozed_part"?: number | null,"snoozed_until"?: string | null,"with_task"?: number | null
                  }
                  Update: {
                    "counted_from"?: string | null,"due_on"?: string | null,"every_days"?: number | null,"every_distance"?: number | null,"every_moving_time"?: number | null,"gear_id"?: number | null,"group"?: number | null,"id"?: number,"kind"?: string,"name"?: string,"once"?: boolean,"outdoor_only"?: boolean,"part_id"?: number | null,"snoozed_distance"?: number | null,"snoozed_from"?: string | null,"snoozed_part"?: number | null,"snoozed_until"?: string | null,"with_task"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "service_tasks_gear_id_fkey"
      columns: ["gear_id"]
isOneToOne: false
      referencedRelation: "bikes"
      referencedColumns: ["gear_id"]
    },{
      foreignKeyName: "service_tasks_part_id_fkey"
      columns: ["part_id"]
isOneToOne: false
      referencedRelation: "parts"
      referencedColumns: ["id"]
    }
                  ]
                },"settings": {
                  Row: {
                    "currency": string,"dates": string,"distance": string,"is_the_one": boolean,"week_start": string
                  }
                  ComputedFields: never
                  Insert: {
                    "currency"?: string,"dates"?: string,"distance"?: string,"is_the_one"?: boolean,"week_start"?: string
                  }
                  Update: {
                    "currency"?: string,"dates"?: string,"distance"?: string,"is_the_one"?: boolean,"week_start"?: string
                  }
                  Relationships: [
                    
                  ]
                },"wear_measurements": {
                  Row: {
                    "id": number,"limit": number | null,"measured_on": string,"note": string | null,"part_id": number,"reading": string | null,"tool": string,"unit": string,"value": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "id"?: number,"limit"?: number | null,"measured_on": string,"note"?: string | null,"part_id": number,"reading"?: string | null,"tool"?: string,"unit": string,"value"?: number | null
                  }
                  Update: {
                    "id"?: number,"limit"?: number | null,"measured_on"?: string,"note"?: string | null,"part_id"?: number,"reading"?: string | null,"tool"?: string,"unit"?: string,"value"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "wear_measurements_part_id_fkey"
      columns: ["part_id"]
isOneToOne: false
      referencedRelation: "parts"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Views: {
            [_ in never]: never
          }
          Functions: {
            "attached_to":
{ Args: { "bike": Omit<Database["public"]['Tables']["bikes"]['Row'], Database["public"]['Tables']["bikes"]['ComputedFields']> }; Returns: number
                           },
"backup":
{ Args: { "after"?: string,"size"?: number,"without_files"?: boolean }; Returns: Json
                           },
"begin_quick_check":
{ Args: { "rwgps_user_id"?: number }; Returns: string
                           },
"bike_timeline":
{ Args: { "gear_id": number }; Returns: Json
                           },
"calendar_feed":
{ Args: { "days": number,"token": string }; Returns: Json
                           },
"changes_of_sync":
{ Args: { "skip"?: number,"sync_id"?: number }; Returns: Json
                           },
"channel_states":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"claim_notifications":
{ Args: { "channels": (string)[] }; Returns: Json
                           },
"claim_rwgps_account":
{ Args: { "gear": Json,"listed"?: (number)[],"rwgps_user_id": number,"rwgps_user_name"?: string,"sync_id": number }; Returns: Json
                           },
"counts_as_retired":
{ Args: { "bike": Omit<Database["public"]['Tables']["bikes"]['Row'], Database["public"]['Tables']["bikes"]['ComputedFields']> }; Returns: boolean
                           },
"create_token":
{ Args: { "days"?: number,"name": string,"scope": string,"token": string }; Returns: number
                           },
"days_reached":
{ Args: { "readings": Json }; Returns: Json
                           },
"doubted_rides":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"fail_ride_sync":
{ Args: { "code": string,"retry_after"?: number,"sync_id": number }; Returns: boolean
                           },
"file_sizes":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"finish_notification":
{ Args: { "channel": string,"error": string,"message"?: string }; Returns: boolean
                           },
"finish_quick_check":
{ Args: { "digest": string }; Returns: string
                           },
"finish_ride_sync":
{ Args: { "count_kind"?: string,"digest"?: string,"is_complete"?: boolean,"listed"?: (number)[],"rows_without_id"?: number,"sync_id": number }; Returns: Json
                           },
"garage":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"has_push_subscription":
{ Args: { "endpoint": string }; Returns: boolean
                           },
"is_owner":
{ Args: Record<PropertyKey, never>; Returns: boolean
                           },
"list_order":
{ Args: { "bike": Omit<Database["public"]['Tables']["bikes"]['Row'], Database["public"]['Tables']["bikes"]['ComputedFields']> }; Returns: number
                           },
"log_items":
{ Args: { "gear_id"?: number }; Returns: Json
                           },
"maintenance_use":
{ Args: { "day"?: string,"gear_id": number }; Returns: Json
                           },
"part_history":
{ Args: { "part_id": number }; Returns: Json
                           },
"part_lifetimes":
{ Args: { "what_if"?: Json }; Returns: Json
                           },
"part_wear":
{ Args: { "part_id": number }; Returns: Json
                           },
"push_subscriptions":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"remove_missing_rides":
{ Args: { "shown_by": number }; Returns: number
                           },
"remove_push_subscriptions":
{ Args: { "endpoints": (string)[] }; Returns: number
                           },
"replaced_parts":
{ Args: { "at_end"?: string,"day": string,"gear_id": number,"items"?: (number)[],"kind"?: string }; Returns: Json
                           },
"revoke_token":
{ Args: { "token_id": number }; Returns: boolean
                           },
"ride_days":
{ Args: { "days": number,"gear_id"?: number }; Returns: Json
                           },
"ride_years":
{ Args: { "gear_id"?: number,"without_bike"?: boolean }; Returns: Json
                           },
"run_command":
{ Args: { "arguments"?: Json,"command": string,"key"?: string }; Returns: Json
                           },
"run_command_as":
{ Args: { "arguments"?: Json,"command": string,"key"?: string,"token_hash": string }; Returns: Json
                           },
"service_due":
{ Args: { "gear_id"?: number }; Returns: Json
                           },
"service_history":
{ Args: { "gear_id"?: number,"part_id"?: number }; Returns: Json
                           },
"spending":
{ Args: { "from_day"?: string,"to_day"?: string }; Returns: Json
                           },
"stamp_calendar_feed":
{ Args: { "content": string,"token": string }; Returns: Json
                           },
"start_ride_sync":
{ Args: { "follows_check"?: boolean,"triggered_by": string }; Returns: number
                           },
"store_rides":
{ Args: { "list_count"?: number,"page": Json,"skipped"?: (string)[],"sync_id": number }; Returns: {
              "added": number,"changed": number
            }[]
                           },
"stored_parts":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"switch_rwgps_account":
{ Args: Record<PropertyKey, never>; Returns: {
              "bikes": number,"rides": number
            }[]
                           },
"time_zone":
{ Args: Record<PropertyKey, never>; Returns: string
                           },
"to_check":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"tokens":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"trash":
{ Args: { "deletions"?: boolean,"older_than"?: number }; Returns: Json
                           }
          }
          Enums: {
            [_ in never]: never
          }
          CompositeTypes: {
            [_ in never]: never
          }
        }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
  ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
      Row: infer R
    }
    ? R
    : never
  : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Insert: infer I
    }
    ? I
    : never
  : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Update: infer U
    }
    ? U
    : never
  : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
  ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
  : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
  ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
  : never

export const Constants = {
  "public": {
          Enums: {
            
          }
        }
} as const
