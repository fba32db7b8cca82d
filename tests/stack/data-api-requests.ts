// Responses of the data API at home, and what PostgREST documents for the same request. The facts are from PostgREST's
// documentation (docs/references/api) and its specs (test/spec/Feature/Query) of August 2026, named at each group.
//
// A line is: verdict | request | answer | rows of `bike` and `job` that changed.
// - same: Supabase Lite alone answers the same.
// - rewritten: it alone answers otherwise, so the tracker reads the request for it.
// - refused: the tracker can't, and says that hosted projects can, or PostgREST refuses it, too.
// A request is: method, path, preferences or `object` in brackets, body. An answer is the status, then the ids, the code or the
// body. With a count, the range follows.

export const REQUESTS: Record<string, string> = {
  'values (tables_views.rst, QuerySpec.hs)': String.raw`
    same      | GET bike?name=eq.Red | 200 1
    rewritten | GET bike?name=eq.1.50 | 200 4
    same      | GET bike?name=eq.1.5 | 200 5
    rewritten | GET bike?name=in.(1.50) | 200 4
    same      | GET bike?name=in.("1.50") | 200 4
    rewritten | GET bike?name=eq.%205 | 200 11
    rewritten | GET bike?name=eq.0x10 | 200 12
    rewritten | GET bike?name=eq.%2B5 | 200 13
    rewritten | GET bike?name=eq.null | 200 8
    rewritten | GET bike?name=in.(null) | 200 8
    rewritten | GET bike?name=neq.1.50&id=lt.7 | 200 1,2,3,5,6
    rewritten | GET bike?name=match.1.50 | 200 4
    rewritten | GET bike?name=match.{} | 200
    rewritten | GET bike?name=match.%2B5 | 400 2201B
    same      | GET bike?name=eq.a.b | 200 14
    same      | GET bike?name=in.("x,%20y",Red) | 200 1,3
    same      | GET bike?name=in.("a\"b") | 200 6
    rewritten | GET bike?name=in.(") | 200 15
    same      | GET bike?name=in.() | 200
    same      | GET bike?name=not.in.()&id=lt.3 | 200 1,2
    same      | GET bike?name=in.("") | 200
    rewritten | GET bike?id=eq.9007199254740993 | 200 9007199254740993
    rewritten | GET bike?id=in.(9007199254740993) | 200 9007199254740993
    same      | GET bike?id=eq.x | 400 22P02
    rewritten | GET bike?id=eq.1.0 | 400 22P02
    rewritten | PATCH bike?name=eq.1.50 {"note":"n"} | 204 | bike 4
    rewritten | DELETE bike?name=eq.1.50 | 204 | bike 4
    same      | GET bike?bought=gte.2024-01-05&bought=lt.2024-01-07 | 200 5,6
    same      | GET job?cost=eq.10 | 200 1
    rewritten | GET job?cost=eq.12345678901234567890 | 200 6`,
  'booleans and is (tables_views.rst, "Operators"; QuerySpec.hs)': String.raw`
    same      | GET bike?retired=eq.true | 200 1,4
    rewritten | GET bike?retired=eq.t | 200 1,4
    rewritten | GET bike?retired=eq.1 | 200 1,4
    rewritten | GET bike?retired=eq.yes | 200 1,4
    rewritten | GET bike?retired=eq.abc | 400 22P02
    same      | GET bike?retired=is.true | 200 1,4
    same      | GET bike?retired=is.NULL&id=lt.7 | 200 3,6
    same      | GET bike?retired=is.unknown&id=lt.7 | 200 3,6
    same      | GET bike?retired=is.not_null | 200 1,2,4,5
    same      | GET bike?retired=not.is.null | 200 1,2,4,5
    rewritten | GET bike?retired=isdistinct.true&id=lt.7 | 200 2,3,5,6
    rewritten | GET bike?retired=not.isdistinct.true | 200 1,4
    rewritten | DELETE bike?retired=isdistinct.true&id=lt.7 | 204 | bike 2,3,5,6 job 3,5,6
    same      | GET bike?name=isdistinct.null&id=in.(7,8) | 200 7
    refused   | GET bike?name=is.nullx | 400 PGRST100
    same      | GET bike?name=is.nul | 400 PGRST100`,
  'and, or (tables_views.rst, "Logical operators"; AndOrParamsSpec.hs)': String.raw`
    same      | GET bike?or=(id.eq.1,id.eq.2) | 200 1,2
    same      | GET bike?and=(id.gt.1,id.lt.4) | 200 2,3
    same      | GET bike?not.or=(id.gt.2,name.eq.Red) | 200 2
    rewritten | GET bike?or=(id.eq.1,id.eq.2)&or=(id.eq.2,id.eq.3) | 200 2
    rewritten | PATCH bike?or=(id.eq.1,id.eq.2)&or=(id.eq.2,id.eq.3) {"note":"n"} | 204 | bike 2
    rewritten | GET bike?not.and=(id.lt.3,id.gt.0)&not.and=(id.gt.3,id.gt.0) | 200 3
    rewritten | DELETE bike?not.or=(id.gt.3,id.lt.0)&not.and=(id.lt.3,id.gt.0) | 204 | bike 3 job 5
    same      | GET bike?and=(or(id.lt.3,id.eq.4),not.or(id.eq.1,name.eq.Blue)) | 200 4
    same      | GET bike?and=(%20and%20(%20id.in.(%201,%202,%203%20)%20,%20id.eq.3%20)%20,%20or%20(%20id.eq.2%20,%20id.eq.3%20)%20) | 200 3
    same      | GET bike?or=(name.eq."x,%20y",id.eq.1) | 200 1,3
    rewritten | GET bike?or=(name.eq."a\"b",id.eq.1) | 200 1,6
    rewritten | GET bike?or=(name.eq."\\",id.eq.1) | 200 1,16
    rewritten | GET bike?or=(name.like."x,%20*",id.eq.1) | 200 1,3
    rewritten | GET bike?or=(name.not.like."x,%20y",id.eq.-1)&id=lt.5 | 200 1,2,4
    rewritten | GET bike?or=(name.isdistinct."x,%20y")&id=lt.5 | 200 1,2,4
    rewritten | GET bike?and=(name.gt."a\"a",name.lt."a\"c") | 200 6
    same      | GET job?or=(tags.cs.{a,b},id.eq.4) | 200 1,4
    rewritten | GET bike?or=(name.eq.a(b,id.eq.1) | 200 1
    refused   | GET bike?or=() | 400 PGRST100
    refused   | GET bike?or=(id.eq.1)) | 400 PGRST100
    refused   | GET bike?or=(id.eq.1 | 400 PGRST100
    refused   | GET bike?or=(id.eq.1,xor(id.eq.2)) | 400 PGRST100
    refused   | GET bike?name=eq | 400 PGRST100
    refused   | GET bike?name=is().null | 400 PGRST100
    same      | GET bike?unknown=eq.1 | 400 42703
    refused   | GET job?select=id,bike(name)&or=(bike.not.is.null,id.eq.4) | 400 PGRST100`,
  'patterns (tables_views.rst, "Pattern matching", "Operator modifiers"; QuerySpec.hs)': String.raw`
    same      | GET bike?name=like.R* | 200 1
    same      | GET bike?name=ilike.r* | 200 1
    same      | GET bike?name=not.like.R*&id=lt.4 | 200 2,3
    same      | GET bike?name=match.^R | 200 1
    same      | GET bike?name=imatch.^r | 200 1
    refused   | GET bike?name=match(none).x | 400 PGRST100
    rewritten | GET bike?name=like(any).{R*,B*} | 200 1,2
    rewritten | GET bike?name=ilike(all).{*e*,*d} | 200 1
    same      | GET bike?id=eq(any).{1,2} | 200 1,2
    same      | GET bike?name=eq(any).{"a\"b"} | 200 6
    rewritten | GET bike?retired=eq(any).{true} | 200 1,4
    refused   | GET bike?name=neq(any).{Red} | 400 PGRST100
    refused   | GET bike?name=like(any).(R*) | 400 22P02
    same      | GET bike?name=plfts.red | 200 1
    same      | GET bike?name=fts(simple).red | 200 1
    refused   | GET job?extra=fts.x | 400 PGRST100`,
  'lists and JSON (tables_views.rst, "Operators"; JsonOperatorSpec.hs)': String.raw`
    same      | GET job?tags=cs.{a} | 200 1,4
    rewritten | GET job?tags=cs.{}&id=lt.4 | 200 1,2
    rewritten | GET job?tags=eq.{} | 200 2
    rewritten | GET job?tags=ov.{} | 200
    rewritten | GET job?tags=cd.{} | 200 2
    same      | GET job?sizes=eq.{1,2} | 200 1
    rewritten | GET job?extra=eq."1" | 200 4
    rewritten | GET job?extra=cs."1" | 200 4
    same      | GET job?extra=cs.{"a":1} | 200 2
    same      | GET job?extra->>a=eq.1 | 200 1,2
    same      | GET job?extra->a=eq.1 | 200 2
    rewritten | GET job?extra->a=eq."1" | 200 1
    same      | GET job?extra->b->>c=eq.x | 200 1
    same      | GET job?extra->>a=is.null&id=in.(2,3) | 200 3
    refused   | GET job?extra->a=cs.1 | 400 PGRST100
    refused   | GET job?extra->a=isdistinct.1 | 400 PGRST100
    refused   | GET job?name->>a=eq.1 | 400 PGRST100
    same      | GET job?select=id,extra->>a&id=eq.1 | 200 [{"id":1,"a":"1"}]
    same      | GET job?select=id,x:extra->b->>c&id=eq.1 | 200 [{"id":1,"x":"x"}]
    refused   | GET job?select=extra->a&id=eq.1 | 400 PGRST100
    refused   | GET job?select=tags->>0&id=eq.1 | 400 PGRST100
    rewritten | GET job?select=tags&id=eq.5 | 200 [{"tags":["x, y",null]}]`,
  'select and order (tables_views.rst, "Vertical filtering", "Ordering"; QuerySpec.hs)': String.raw`
    same      | GET bike?select=id,name&id=eq.1 | 200 [{"id":1,"name":"Red"}]
    same      | GET bike?select=n:name&id=eq.1 | 200 [{"n":"Red"}]
    same      | GET bike?select=id::text&id=eq.1 | 200 [{"id":"1"}]
    same      | GET bike?select=label&id=eq.1 | 200 [{"label":"#1 Red"}]
    rewritten | GET bike?select=id&id=eq.9007199254740993 | 200 9007199254740993
    refused   | GET bike?select=id::regclass&id=eq.1 | 400 PGRST100
    refused   | GET bike?select=count() | 400 PGRST123
    refused   | GET job?select=cost.sum() | 400 PGRST123
    refused   | GET job?select=id,...bike(id.max()) | 400 PGRST123
    refused   | GET bike?select=id,"name" | 400 PGRST100
    refused   | GET bike?select= | 400 PGRST100
    refused   | GET bike?select=id&select=name | 400 PGRST100
    same      | GET bike?order=id.desc&id=lt.4 | 200 3,2,1
    same      | GET bike?order=retired.desc.nullslast,id&id=lt.4 | 200 1,2,3
    same      | GET bike?order=retired.desc,id&id=lt.4 | 200 3,1,2
    refused   | GET bike?order=id.down | 400 PGRST100
    refused   | GET bike?order=id&order=name | 400 PGRST100
    refused   | GET bike?order=label | 400 PGRST100
    same      | GET bike?order=unknown | 400 42703`,
  'pages and counts (pagination_count.rst, RangeSpec.hs)': String.raw`
    same      | GET bike?limit=2&order=id (count=exact) | 206 1,2 (0-1/18)
    same      | GET bike?limit=2&offset=1&order=id | 200 2,3
    same      | GET bike?offset=1&id=lt.4&order=id | 200 2,3
    same      | GET bike?limit=0 | 200
    rewritten | GET bike?limit=2&order=id (count=estimated) | 206 1,2 (0-1/18)
    same      | HEAD bike?id=lt.4 (count=exact) | 200 (0-2/3)
    same      | GET bike?offset=100 (count=exact) | 416 PGRST103
    refused   | GET bike?limit=-1 | 416 PGRST103
    refused   | GET bike?limit=x | 400 PGRST100
    refused   | GET bike?offset=-4 | 400 PGRST100
    refused   | GET bike?limit=1&limit=2 | 400 PGRST100`,
  'embedding (resource_embedding.rst, EmbedInnerJoinSpec.hs, RelatedQueriesSpec.hs)': String.raw`
    same      | GET job?select=id,bike(name)&id=eq.1 | 200 [{"id":1,"bike":{"name":"Red"}}]
    same      | GET bike?select=id,jobs:job(id)&id=eq.1 | 200 [{"id":1,"jobs":[{"id":1},{"id":2}]}]
    same      | GET job?select=id,bike!inner()&bike.name=eq.Red | 200 1,2
    same      | GET job?select=id,bike!inner()&bike.name=eq.1.5 | 200 6
    same      | GET bike?select=id,job!inner()&job.cost=gt.15 | 200 1,2,3,5
    same      | GET bike?select=id,job(id)&job.or=(id.eq.1,id.eq.3)&id=lt.3&order=id | 200 [{"id":1,"job":[{"id":1}]},{"id":2,"job":[{"id":3}]}]
    rewritten | GET bike?select=id,job(id)&job.not.or=(id.eq.1)&job.not.and=(id.eq.2,id.gt.0)&id=eq.1 | 200 [{"id":1,"job":[]}]
    same      | GET bike?select=id,job(id)&job.order=id.desc&job.limit=1&id=eq.1 | 200 [{"id":1,"job":[{"id":2}]}]
    same      | GET job?select=id,bike()&bike=is.null | 200 4
    same      | GET job?select=id,bike()&bike=not.is.null&id=gt.2 | 200 3,5,6
    rewritten | GET job?select=id,bike(name)&order=bike(name).desc&id=in.(1,3) | 200 [{"id":1,"bike":{"name":"Red"}},{"id":3,"bike":{"name":"Blue"}}]
    rewritten | GET job?select=id,bike(cost)&id=eq.1 | 400 42703
    rewritten | GET job?select=id,bike(name)&bike.cost=eq.10 | 400 42703
    refused   | GET job?select=id,bike()&bike=eq.1 | 400 PGRST120
    refused   | GET job?select=id&bike.name=eq.Red | 400 PGRST108
    refused   | GET bike?select=id,job(id)&order=job(id) | 400 PGRST118
    refused   | GET bike?select=id,wheel(id) | 400 PGRST200
    refused   | GET bike?select=id,job(id),job(name) | 400 PGRST100
    refused   | GET job?select=id,bike(name)&bike.name=eq.Red&order=bike(name) | 400 PGRST100
    refused   | GET bike?select=id,job!inner(id)&job.limit=1&job.offset=1 | 400 PGRST100`,
  'spread tables (resource_embedding.rst, SpreadQueriesSpec.hs)': String.raw`
    same      | GET job?select=id,...bike(color:name)&id=eq.1 | 200 [{"id":1,"color":"Red"}]
    refused   | GET tool?select=name,...job(job:name,...bike(bike:name)) | 400 PGRST100
    refused   | GET tool?select=name,...job(job:name,bike(name)) | 400 PGRST100
    refused   | GET job?select=id,...bike(color:name)&bike.name=eq.Red | 400 PGRST100`,
  'views, domains and media types (D2 and D3: resource_embedding.rst, domain_representations.rst, media_type_handlers.rst)': String.raw`
    same      | GET red?select=id | 200 1
    refused   | GET red?select=id,job(id) | 400 PGRST100
    refused   | GET job?select=id,red(id) | 400 PGRST100
    refused   | GET paint | 400 PGRST100
    refused   | POST rpc/bikes_as_domain {} | 400 PGRST100`,
  'safe updates (pg-safeupdate.rst, PgSafeUpdateSpec.hs)': String.raw`
    refused   | DELETE bike | 400 21000
    refused   | PATCH bike {"note":"n"} | 400 21000
    refused   | DELETE bike?limit=1 | 400 21000
    refused   | DELETE job?select=id,bike!inner(id)&bike.name=eq.Red (return=representation) | 400 21000
    refused   | DELETE job?id=gt.0&limit=1 | 400 PGRST100
    refused   | PATCH job?id=gt.0&order=id {"cost":1} | 400 PGRST100
    same      | PATCH job?id=gt.4 {"cost":1} | 204 | job 5,6
    same      | DELETE tool?job_id=eq.1 | 204`,
  'writes that are refused afterwards (SingularSpec.hs, preferences.rst, Preferences/MaxAffectedSpec.hs)': String.raw`
    rewritten | PATCH bike?id=lt.3 (object) {"note":"n"} | 406 PGRST116
    rewritten | DELETE tool?job_id=eq.1 (object) | 406 PGRST116
    same      | PATCH bike?id=eq.1&select=id,note (object, return=representation) {"note":"n"} | 200 {"id":1,"note":"n"} | bike 1
    rewritten | POST rpc/raise_costs (object) {} | 406 PGRST116
    rewritten | POST rpc/raise_costs (handling=strict, max-affected=1) {} | 400 PGRST124
    rewritten | POST rpc/raise_one (handling=strict, max-affected=1) {} | 400 PGRST128
    same      | POST rpc/raise_one {} | 200 11 | job 1
    same      | PATCH bike?id=lt.3 (handling=strict, max-affected=1) {"note":"n"} | 400 PGRST124
    same      | PATCH bike?id=lt.3 (handling=strict, max-affected=2) {"note":"n"} | 204 | bike 1,2
    refused   | PATCH bike?id=eq.1 (tx=rollback) {"note":"n"} | 400 PGRST122
    refused   | PATCH bike?id=eq.1 (handling=strict, anything) {"note":"n"} | 400 PGRST122
    refused   | GET bike?id=eq.1 (timezone=Europe/Berlin) | 400 PGRST122`,
  'inserts and columns (tables_views.rst, "Specifying columns", "Bulk insert with default values"; InsertSpec.hs)': String.raw`
    same      | POST bike?select=id,note (return=representation) {"id":20} | 201 [{"id":20,"note":"none"}] | bike 20
    rewritten | POST bike?select=id,note&columns=id,note (return=representation) [{"id":20},{"id":21,"note":"n"}] | 201 [{"id":20,"note":null},{"id":21,"note":"n"}] | bike 20,21
    rewritten | POST bike?select=id,note&columns=id,note (return=representation, missing=default) [{"id":20},{"id":21}] | 201 [{"id":20,"note":"none"},{"id":21,"note":"none"}] | bike 20,21
    rewritten | POST bike?select=note&columns=name,note (return=representation, missing=default) {"name":"N"} | 201 [{"note":"none"}] | bike 1000
    refused   | POST bike?columns=id,note (missing=default) [{"id":20},{"id":21,"note":"n"}] | 400 PGRST100
    rewritten | PATCH bike?id=eq.1&columns=note,name&select=id,name,note (return=representation) {"name":"R"} | 200 [{"id":1,"name":"R","note":null}] | bike 1
    refused   | PATCH bike?id=eq.1&columns=note,name (missing=default) {"name":"R"} | 400 PGRST100
    same      | POST bike?columns=id,wheel {"id":20} | 400 PGRST204
    same      | POST bike [{"id":20},{"id":21,"note":"n"}] | 400 PGRST102
    same      | POST bike [] | 201
    same      | POST bike { | 400 PGRST102
    refused   | POST bike?id=eq.1 {"id":20} | 400 PGRST100
    refused   | PATCH bike?id=eq.1 [{"note":"n"}] | 400 PGRST102
    same      | POST bike?select=id,note (return=representation, count=exact) {"id":20} | 201 [{"id":20,"note":"none"}] (*/1) | bike 20
    same      | POST job?select=id,bike(name) (return=representation) {"id":20,"bike_id":1} | 201 [{"id":20,"bike":{"name":"Red"}}] | job 20`,
  'values that are written (InsertSpec.hs)': String.raw`
    rewritten | POST bike?select=retired (return=representation) {"id":20,"retired":1} | 201 [{"retired":true}] | bike 20
    same      | POST bike?select=retired (return=representation) {"id":20,"retired":"yes"} | 201 [{"retired":true}] | bike 20
    rewritten | POST bike {"id":20,"retired":"abc"} | 400 22P02
    rewritten | POST bike {"id":20,"retired":{}} | 400 22P02
    rewritten | POST bike?select=name (return=representation) {"id":20,"name":{"a":[1,null]}} | 201 [{"name":"{\"a\":[1,null]}"}] | bike 20
    rewritten | POST bike?select=name (return=representation) {"id":20,"name":1.50} | 201 [{"name":"1.50"}] | bike 20
    rewritten | POST bike?select=name (return=representation) {"id":20,"name":[true]} | 201 [{"name":"[true]"}] | bike 20
    rewritten | POST bike {"id":9007199254740995} | 201 | bike 9007199254740995
    rewritten | POST job?select=extra (return=representation) {"id":20,"extra":"1"} | 201 [{"extra":"1"}] | job 20
    rewritten | POST job?select=extra (return=representation) {"id":20,"extra":true} | 201 [{"extra":true}] | job 20
    rewritten | POST job {"id":20,"tags":5} | 400 22P02
    rewritten | POST bike?select=photo (return=representation) {"id":20,"photo":"\\x6869"} | 201 [{"photo":"\\x6869"}] | bike 20
    rewritten | POST job?select=tags (return=representation) {"id":20,"tags":["a",null,"b\"c"]} | 201 [{"tags":["a",null,"b\"c"]}] | job 20
    rewritten | POST job?select=cost (return=representation) {"id":20,"cost":1e400} | 201 [{"cost":"1${'0'.repeat(400)}"}] | job 20
    same      | POST job {"id":20,"bike_id":99} | 409 23503
    same      | POST bike {"id":1} | 409 23505`,
  'upserts (tables_views.rst, "Upsert"; UpsertSpec.hs)': String.raw`
    same      | POST bike (resolution=merge-duplicates) [{"id":1,"note":"n"},{"id":20,"note":"m"}] | 201 | bike 1,20
    same      | POST bike (resolution=ignore-duplicates) [{"id":1,"note":"n"},{"id":20,"note":"m"}] | 201 | bike 20
    same      | POST bike?on_conflict=id (resolution=merge-duplicates) {"id":1,"note":"n"} | 200 | bike 1
    rewritten | POST bike?select=id,note&columns=id,note (resolution=merge-duplicates, return=representation) [{"id":1},{"id":20,"note":"m"}] | 201 [{"id":1,"note":null},{"id":20,"note":"m"}] | bike 1,20
    refused   | PUT bike?id=eq.1 {"id":1,"note":"n"} | 400 PGRST127`,
  'answers of changes (UpdateSpec.hs, DeleteSpec.hs)': String.raw`
    same      | PATCH bike?id=eq.1&select=id,n:note (return=representation) {"note":"n"} | 200 [{"id":1,"n":"n"}] | bike 1
    refused   | PATCH bike?note=eq.none&select=id,n:note (return=representation) {"note":"n"} | 400 PGRST100
    same      | DELETE job?id=eq.1&select=id,bike(name) (return=representation) | 200 [{"id":1,"bike":{"name":"Red"}}] | job 1
    same      | PATCH bike?id=eq.99 {"note":"n"} | 204
    same      | PATCH bike?id=eq.1 {} | 204`,
  'functions (functions.rst, RpcSpec.hs)': String.raw`
    same      | POST rpc/echo {"word":"a","number":5} | 200 {"data":null,"flag":null,"list":null,"word":"a","number":5}
    rewritten | GET rpc/echo?word=1.50 | 200 {"data":null,"flag":null,"list":null,"word":"1.50","number":null}
    rewritten | GET rpc/echo?word=null | 200 {"data":null,"flag":null,"list":null,"word":"null","number":null}
    rewritten | GET rpc/echo?word=%205&flag=t | 200 {"data":null,"flag":true,"list":null,"word":" 5","number":null}
    same      | GET rpc/echo?number=1.50 | 400 22P02
    rewritten | POST rpc/echo {"flag":"true"} | 200 {"data":null,"flag":true,"list":null,"word":null,"number":null}
    rewritten | POST rpc/echo {"flag":1} | 200 {"data":null,"flag":true,"list":null,"word":null,"number":null}
    rewritten | POST rpc/echo {"number":true} | 400 22P02
    rewritten | POST rpc/echo {"data":"1"} | 200 {"data":"1","flag":null,"list":null,"word":null,"number":null}
    same      | POST rpc/echo {"data":{"a":[1]}} | 200 {"data":{"a":[1]},"flag":null,"list":null,"word":null,"number":null}
    same      | POST rpc/echo {"list":["a","b c"]} | 200 {"data":null,"flag":null,"list":["a","b c"],"word":null,"number":null}
    rewritten | HEAD rpc/echo?word=a | 200
    same      | GET rpc/jobs_of?bike=1&select=id | 200 1,2
    same      | GET rpc/jobs_of?bike=1&name=eq.Wax | 200 1
    same      | GET rpc/jobs_of?bike=1&order=id.desc&limit=1 | 200 2
    same      | GET rpc/jobs_of?bike=1&select=id,bike(name)&id=eq.1 | 200 [{"id":1,"bike":{"name":"Red"}}]
    same      | GET rpc/raise_costs | 405 25006
    same      | POST rpc/echo {"words":"a"} | 404 PGRST202
    refused   | PATCH rpc/echo {"word":"a"} | 405 PGRST101
    refused   | GET rpc/echo?word=a&select=word | 400 PGRST100
    refused   | GET rpc/echo?word=a&word=b | 400 PGRST100`,
  'media types (resource_representation.rst, NullsStripSpec.hs)': String.raw`
    same      | GET bike?id=eq.1&select=id,name (object) | 200 {"id":1,"name":"Red"}
    same      | GET bike?id=lt.3 (object) | 406 PGRST116
    same      | GET job?id=eq.3&select=id,name,extra (array;nulls) | 200 [{"id":3,"name":"Wax"}]
    refused   | GET bike (text/csv) | 406 PGRST107
    refused   | GET bike (application/octet-stream) | 406 PGRST107
    refused   | GET bike (application/vnd.pgrst.plan) | 406 PGRST107
    refused   | POST bike (csv) id,name | 400 PGRST102
    refused   | POST bike (form) id=20 | 400 PGRST102`,
}
