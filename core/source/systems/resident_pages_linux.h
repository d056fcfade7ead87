#pragma once

#include "core/event/resident_sample.h"
#include "core/source/systems/run_joiner.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::source {

/// Which pages of a process are in RAM, or have been written, by its /proc/PID/pagemap. One thread.
class ResidentPages {
  public:
    enum class By : std::uint8_t {
        Scan, ///< PAGEMAP_SCAN, since Linux 6.7: fast, also for huge reservations, and without pages of zeros that
              ///< all processes share
        Bits, ///< 8 bytes for each page
    };
    enum class Which : std::uint8_t {
        Resident, ///< in RAM
        Touched,  ///< in RAM or in swap space. Other pages of private memory without a file are zero
    };
    /// Most pages of a mapping that are read by Bits: 64 GB, which takes about 0.1 s.
    static constexpr std::uint64_t kMostPagesByBits = std::uint64_t{1} << 24;

    /// `pagemap`: open for reading, owned by the caller.
    ResidentPages(int pagemap, By by, Which which = Which::Resident) : pagemap_(pagemap), by_(by), which_(which) {}

    /// The best way that the system offers.
    [[nodiscard]] static By best();
    /// Nothing if the process has ended, or the range is too large to be read in this way.
    [[nodiscard]] std::optional<ResidentRuns> of(Address begin, Address end);
    /// False after the process has ended or has executed another program since the file was opened. `address`: one of
    /// a mapping.
    [[nodiscard]] bool isAlive(Address address) const;

  private:
    [[nodiscard]] bool scan(Address begin, Address end, RunJoiner& runs);
    [[nodiscard]] bool readBits(Address begin, Address end, RunJoiner& runs);

    int pagemap_;
    By by_;
    Which which_;
    std::vector<std::uint64_t> room_; ///< for the kernel's answers
};

} // namespace highwater::source
