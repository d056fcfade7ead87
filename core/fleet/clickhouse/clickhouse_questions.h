#pragma once

namespace highwater::fleet::sql {

/// resources/fleet/clickhouse/*.sql; made by CMake.
extern const char* const kClickHouseSchema;
extern const char* const kClickHouseSchemaCluster;
extern const char* const kClickHouseSchemaViews;
extern const char* const kClickHouseRuns;
extern const char* const kClickHouseValues;
extern const char* const kClickHouseStackRuns;
extern const char* const kClickHouseWindows;
extern const char* const kClickHouseStackNames;
extern const char* const kClickHouseStacksThere;
extern const char* const kClickHouseRelabel;
extern const char* const kClickHouseRemove;
extern const char* const kClickHouseUnnamedFrames;
extern const char* const kClickHouseUnnamedStacks;
extern const char* const kClickHouseLoadSamples;
extern const char* const kClickHouseReload;

} // namespace highwater::fleet::sql
