#pragma once

namespace highwater::fleet::sql {

/// resources/fleet/sqlite/*.sql; made by CMake.
extern const char* const kSqliteSchema;
extern const char* const kSqliteRuns;
extern const char* const kSqliteValues;
extern const char* const kSqliteStackRuns;
extern const char* const kSqliteStackNames;

} // namespace highwater::fleet::sql
