#include "core/formats/sqlite/sqlite_resident.h"

#include "core/analysis/balance/balance.h"
#include "core/base/as_signed.h"

#include <cstdint>
#include <map>

namespace highwater::formats {
namespace {

using analysis::Balance, analysis::BalanceCourse, analysis::BalancePoint;

std::int64_t idOf(ProcessIndex process) { return std::int64_t{process.value} + 1; }

class ResidentRows {
  public:
    explicit ResidentRows(SqliteDatabase& database)
        : samples_(database, "resident_samples", 5),
          layers_(database, "resident_layers", 3),
          mappings_(database, "resident_mappings", 9) {}

    void write(const BalanceCourse& course, const Balance* peak) {
        for (const auto& point : course.points) {
            write(course.process, point);
            // A damaged trace may have several samples with this time; the first has the mappings.
            if (peak == nullptr || point.time != peak->point.time) continue;
            writeMappings(*peak);
            peak = nullptr;
        }
    }

  private:
    void write(ProcessIndex process, const BalancePoint& point) {
        samples_.add(++sample_)
            .add(idOf(process))
            .add(point.time.ns)
            .add(asSigned(point.resident))
            .add(asSigned(point.swapped))
            .insert();
        for (const auto layer : analysis::allMemoryLayers()) {
            if (point.layers[layer] == 0) continue;
            layers_.add(sample_).addWord(layerId(layer)).add(asSigned(point.layers[layer])).insert();
        }
    }
    void writeMappings(const Balance& balance) {
        for (const auto& part : balance.parts)
            mappings_.add(sample_)
                .addWord(layerId(part.layer))
                .addText(part.name)
                .add(asSigned(part.mappings))
                .add(asSigned(part.resident))
                .add(asSigned(part.proportional))
                .add(asSigned(part.privateDirty))
                .add(asSigned(part.swapped))
                .add(asSigned(part.reserved))
                .insert();
    }

    SqliteInsert samples_;
    SqliteInsert layers_;
    SqliteInsert mappings_;
    std::int64_t sample_ = 0;
};

} // namespace

std::string sqlOfResidentTables() {
    return R"sql(
CREATE TABLE resident_samples(id INTEGER PRIMARY KEY, process INTEGER NOT NULL, time_ns INTEGER NOT NULL,
    rss INTEGER NOT NULL, swap INTEGER NOT NULL);
CREATE TABLE resident_layers(sample INTEGER NOT NULL, layer TEXT NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE resident_mappings(sample INTEGER NOT NULL, layer TEXT NOT NULL, mapping TEXT NOT NULL,
    mappings INTEGER NOT NULL, rss INTEGER NOT NULL, pss INTEGER NOT NULL, private_dirty INTEGER NOT NULL,
    swap INTEGER NOT NULL, reserved INTEGER NOT NULL);
)sql";
}

Result<void> writeResident(const store::PublishedTrace& trace, TimeRange interval, SqliteDatabase& database,
                           const std::stop_token& stop) {
    if (analysis::whyNoBalance(trace)) return {};
    const auto found = TRY(analysis::balanceAtPeakWithCourses(trace, {interval}, stop));
    std::map<std::uint32_t, const Balance*> peaks; // by process
    for (const auto& balance : found.balances)
        peaks.emplace(balance.process.value, &balance);
    ResidentRows rows(database);
    for (const auto& course : found.courses)
        rows.write(course, peaks[course.process.value]);
    return {};
}

} // namespace highwater::formats
