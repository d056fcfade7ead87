#pragma once

#include <atomic>
#include <cstdint>

namespace highwater::agent {

/// The executable memory of this process, from the system's list of mappings, for addresses that the unwind tables of
/// modules do not describe. Queried for new addresses only, because rules are cached (FrameRuleTable). The list is
/// reread if an address is not in it, but after the first milliseconds that may take at most a fiftieth of the time.
/// Any thread, also in a signal handler: no lock, no allocation, system calls only. Must be in zeroed memory; no
/// constructor.
class ExecutableMemory {
  public:
    /// Whether code may be at this address. True if there are more ranges than the limit, or the list cannot be read.
    [[nodiscard]] bool contains(std::uint64_t address);
    /// For tests: a list in the format of /proc/self/maps; `read` returns the next bytes, and 0 at its end.
    using Read = long (*)(void* context, char* bytes, unsigned long most);
    void take(Read read, void* context);

  private:
    static constexpr std::uint32_t kMostParts = 1024;

    /// Adjacent mappings form one range. A reader that is overtaken by two writers may see ranges of both, which
    /// results in one frame too many or too few at worst.
    struct Parts {
        std::atomic<std::uint32_t> count;
        std::atomic<bool> areAll; ///< no range was left out
        std::atomic<std::uint64_t> begin[kMostParts];
        std::atomic<std::uint64_t> end[kMostParts];
    };
    class Lines;

    [[nodiscard]] bool isListed(std::uint64_t address) const;
    [[nodiscard]] bool mayRefresh();
    void refresh();

    Parts parts_[2];
    std::atomic<std::uint32_t> newest_;      ///< index of the valid one of the two + 1; 0: none yet
    std::atomic<std::uint64_t> atItSinceNs_; ///< 0: no thread is reading the list
    std::atomic<std::uint64_t> firstNs_;     ///< time of the first reading
    std::atomic<std::uint64_t> spentNs_;     ///< total time for reading
};
extern ExecutableMemory executableMemory;

} // namespace highwater::agent
