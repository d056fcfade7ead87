#pragma once

namespace highwater::fleet::sql {

/// resources/fleet/clickhouse/*.sql; made by CMake.
extern const char* const kClickHouseSchema;
extern const char* const kClickHouseSchemaCluster;
extern const char* const kClickHouseRuns;
extern const char* const kClickHouseValues;
extern const char* const kClickHouseStackRuns;
extern const char* const kClickHouseWindows;
extern const char* const kClickHouseStackNames;

} // namespace highwater::fleet::sql
