#pragma once

#include "core/etl/raw_record.h"
#include "core/event/trace_properties.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::decode {

/// Highwater's own data about a process that may not fit into one record, so that each record contains a part. Payload:
///
///     u32 pid | u32 number of the data, by its recorder | u32 part, from 0 | u32 parts | bytes of the part
inline constexpr std::size_t kMostPartBytes = 60'000; ///< of a payload; a record's size is a u16

/// The payloads of the records.
[[nodiscard]] std::vector<std::vector<std::byte>> encodeParts(std::uint32_t pid, std::uint32_t number,
                                                              std::string_view bytes);

/// Assembles data from its records, which follow each other in the order of their parts; other records may be between
/// them. Holds at most one incomplete piece of data. One thread.
class RecordParts {
  public:
    /// `mostBytes`: data with more is damaged.
    explicit RecordParts(std::size_t mostBytes) : mostBytes_(mostBytes) {}

    struct Whole {
        std::uint32_t pid = 0;
        std::string bytes;
    };
    struct Outcome {
        std::optional<Whole> whole;
        std::uint32_t dropped = 0; ///< data that turned out to be incomplete or damaged
    };

    /// `time`: time of the record.
    [[nodiscard]] Outcome take(const etl::RawRecord& record, TraceTime time);
    /// No parts follow. Returns the number of pieces of data that are incomplete.
    [[nodiscard]] std::uint32_t finish();

  private:
    struct Key {
        TraceTime time;
        std::uint32_t pid = 0;
        std::uint32_t number = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };

    std::size_t mostBytes_;
    std::optional<Key> open_;
    std::optional<Key> closed_; ///< the last delivered or dropped one, whose other parts are ignored
    std::uint32_t next_ = 0;    ///< part that must follow
    std::uint32_t parts_ = 0;
    std::string bytes_;
};

/// Reads LEB128 numbers and counted texts from a file. After the first invalid one, everything is 0.
class CodedReader {
  public:
    /// `mostMemory`: the memory that the data may need, which is limited beside its bytes in the file.
    CodedReader(std::string_view bytes, std::size_t mostMemory) : left_(bytes), memory_(mostMemory) {}

    /// Everything was valid, and nothing is left.
    [[nodiscard]] bool isComplete() const { return isRight_ && left_.empty(); }
    [[nodiscard]] bool isRight() const { return isRight_; }
    [[nodiscard]] std::size_t remaining() const { return left_.size(); }
    std::uint64_t fail();
    std::uint64_t number();
    std::uint32_t word();
    /// A number of objects of this size, which follow.
    std::uint64_t count(std::size_t bytesOfOne);
    std::string_view text();
    /// Their number, and each as counted UTF-8.
    std::vector<std::string> names();

  private:
    std::string_view left_;
    std::size_t memory_;
    bool isRight_ = true;
};

void putCounted(std::string& out, std::string_view text);
void putNames(std::string& out, const std::vector<std::string>& names);

} // namespace highwater::decode
