#pragma once

namespace highwater::fleet::sql {

/// resources/fleet/sqlite/*.sql; made by CMake.
extern const char* const kSqliteSchema;
extern const char* const kSqliteRuns;

} // namespace highwater::fleet::sql
