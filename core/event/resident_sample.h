#pragma once

#include "core/base/units.h"
#include "core/base/varint.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The unit of resident memory. Larger pages count as several of these.
inline constexpr ByteCount kResidentPageBytes = 4096;

/// Pages of a mapping, as ascending runs that do not touch. Compact, because a sample may have hundreds of thousands:
/// for each run two LEB128 numbers, the pages before it and its length.
class ResidentRuns {
  public:
    /// `skipped`: pages since the end of the previous run, or since the start of the mapping. `pages` is not 0.
    void append(std::uint64_t skipped, std::uint64_t pages);
    /// Takes what coded() returned, from a file. See isWithin().
    [[nodiscard]] static ResidentRuns fromCoded(std::string_view coded);
    /// Whether the runs can be read, and end within this number of pages. Required before each() if they are from a
    /// file.
    [[nodiscard]] bool isWithin(std::uint64_t mappingPages) const;

    /// Calls visit(first page, number of pages) for each run, in order.
    template <typename Visit>
    void each(Visit visit) const {
        std::uint64_t page = 0;
        for (std::string_view left = coded_; !left.empty();) {
            page += takeVarint(left).value_or(0);
            const auto pages = takeVarint(left).value_or(0);
            visit(page, pages);
            page += pages;
        }
    }
    [[nodiscard]] const std::string& coded() const { return coded_; }
    [[nodiscard]] bool isEmpty() const { return coded_.empty(); }
    friend bool operator==(const ResidentRuns&, const ResidentRuns&) = default;

    /// Archives the fields, for code that writes them to or reads them from a file (core/pipeline/index).
    template <typename Self, typename Archive>
    static void forReaders(Self& self, Archive& archive) {
        archive(self.coded_);
    }

  private:
    std::string coded_;
};

/// Properties of a mapping.
namespace mapping_flag {
inline constexpr std::uint32_t kRead = 1, kWrite = 2, kExecute = 4, kShared = 8;
inline constexpr std::uint32_t kFile = 16;  ///< its name is a file, or was one that has been deleted
inline constexpr std::uint32_t kPages = 32; ///< its resident pages are known
inline constexpr std::uint32_t kAll = 63;
} // namespace mapping_flag

/// The name of memory that a program requests by mapping this device. Private memory of this name has no file.
inline constexpr std::string_view kZeroDevice = "/dev/zero";

/// A range of addresses of a process that the system manages as one (a line of /proc/PID/smaps). Multiples of
/// kResidentPageBytes, except for the proportional size.
struct Mapping {
    Address begin = 0;
    Address end = 0; ///< above begin
    ByteCount resident = 0;
    ByteCount proportional = 0; ///< resident, each page divided by the number of processes that have it
    ByteCount privateDirty = 0;
    ByteCount swapped = 0;
    std::uint32_t flags = 0; ///< a combination of mapping_flag
    std::uint32_t name = 0;  ///< number in ResidentSample::names
    ResidentRuns pages;      ///< resident ones; read a moment later than the sizes, so that both can differ
    friend bool operator==(const Mapping&, const Mapping&) = default;
};

/// The memory of a process in RAM at one instant: all its mappings, by address, which do not overlap.
struct ResidentSample {
    TraceTime time;
    std::uint32_t pid = 0;
    std::vector<std::string> names; ///< names of mappings; UTF-8, may be ""
    std::vector<Mapping> mappings;

    /// Rss: the sum of the mappings.
    [[nodiscard]] ByteCount resident() const;
    /// Rss of the program itself, without the mappings of Highwater's agent.
    [[nodiscard]] ByteCount residentOfProgram() const;
    [[nodiscard]] ByteCount swapped() const;
    [[nodiscard]] const std::string& nameOf(const Mapping& mapping) const { return names[mapping.name]; }
    /// Approximate size in memory.
    [[nodiscard]] std::size_t bytes() const;
    friend bool operator==(const ResidentSample&, const ResidentSample&) = default;
};

using SharedResidentSample = std::shared_ptr<const ResidentSample>; ///< immutable, never null
/// In the order of time; null if there are none.
using SharedResidentSamples = std::shared_ptr<const std::vector<SharedResidentSample>>;

/// Whether the sample is as described above: names exist, mappings are in order, sizes and pages are not larger than
/// their mappings. Data of files must be checked before use.
[[nodiscard]] bool isValid(const ResidentSample& sample);

} // namespace highwater
