#pragma once

#include "core/etl/raw_record.h"
#include "tests/etw_simulator/scenario.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace highwater::etw_simulator {

/// A record of the trace, ready to be played.
struct PlayedRecord {
    std::int64_t fileTicks = 0; ///< as recorded
    std::int64_t ticks = 0;     ///< since the start of the play, in kPlayedTicksPerSecond
    std::vector<std::byte> payload;
    Guid eventClass;
    std::uint32_t pid = etl::kNoId;
    std::uint32_t tid = etl::kNoId;
    std::uint16_t processor = 0;
    std::uint16_t version = 0;
    std::uint16_t eventId = 0; ///< for records of a provider
    bool isOfProvider = false; ///< its class is the provider
    std::uint8_t group = 0;
    std::uint8_t opcode = 0;
    std::uint8_t pointerBytes = 8;
    std::uint32_t ofProcess = etl::kNoId;   ///< the process it refers to: the payload's pid if there is one
    std::optional<std::size_t> pidOffset{}; ///< offset of that in the payload
    std::uint32_t parent = etl::kNoId;      ///< for process records
    std::string startedProgram{};           ///< for process starts
    /// For stacks: the class of their event (its time in the payload is in ticks as well).
    std::uint8_t eventGroup = 0;
    std::uint8_t eventOpcode = 0;
};

/// Offset of the parent's pid in the payload of records that have one.
[[nodiscard]] std::size_t parentOffsetOf(const PlayedRecord& processRecord);

inline constexpr std::int64_t kPlayedTicksPerSecond = 10'000'000;

/// All records of the scenario's trace in the order of their arrival, with the scenario's changes. No two instants of
/// the trace have the same ticks. Immutable: any thread.
class PlayedTrace {
  public:
    /// Throws std::runtime_error with the reason if the trace cannot be played.
    explicit PlayedTrace(const Scenario& scenario);

    [[nodiscard]] const std::vector<PlayedRecord>& records() const { return records_; }
    [[nodiscard]] std::uint32_t processors() const { return processors_; }
    /// When this time of the trace is played, in ticks since the start.
    [[nodiscard]] std::int64_t ticksAt(double seconds) const;

  private:
    void readFile(const std::filesystem::path& path);
    void addRecord(const etl::RawRecord& raw);
    void addOfProvider(const etl::RawRecord& raw);
    void addBurst(const Burst& burst, std::uint32_t pid);
    void joinStacks();
    void spreadOverTime(double speed);
    void disturbStacks(const Scenario& scenario);
    void sortByTime();
    [[nodiscard]] std::int64_t fileTicksAt(double seconds) const;

    std::vector<PlayedRecord> records_;
    std::vector<std::int64_t> instants_; ///< in the file, in order
    std::vector<std::int64_t> played_;   ///< ticks of each instant
    std::uint32_t processors_ = 1;
    std::int64_t firstFileTicks_ = 0;
    std::int64_t fileTicksPerSecond_ = kPlayedTicksPerSecond;
    double speed_ = 1;
};

} // namespace highwater::etw_simulator
