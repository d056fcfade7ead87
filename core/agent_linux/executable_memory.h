#pragma once

#include <atomic>
#include <cstdint>

namespace highwater::agent {

/// Where this process may run code, as the system lists its mappings: for addresses that no module's unwind tables
/// describe. Asked for new places only, as a rule of a place that was met is kept (FrameRuleTable). The list is read
/// anew where an address is not in it, but beyond the first milliseconds no more than a fiftieth of the time is spent
/// with that. Any thread, also in a signal handler: no lock, no allocation, system calls only. Lies in memory that was
/// zeroed; no constructor.
class ExecutableMemory {
  public:
    /// Whether code may lie there. True if there are more parts than are kept, or the list cannot be read.
    [[nodiscard]] bool contains(std::uint64_t address);
    /// For tests: a list in the form of /proc/self/maps, of which `read` gives the next bytes; 0 at its end.
    using Read = long (*)(void* context, char* bytes, unsigned long most);
    void take(Read read, void* context);

  private:
    static constexpr std::uint32_t kMostParts = 1024;

    /// Neighbours are one part. A reader that is overtaken by two writers may see parts of both: at worst a frame too
    /// many or too few.
    struct Parts {
        std::atomic<std::uint32_t> count;
        std::atomic<bool> areAll; ///< none was left out
        std::atomic<std::uint64_t> begin[kMostParts];
        std::atomic<std::uint64_t> end[kMostParts];
    };
    class Lines;

    [[nodiscard]] bool isListed(std::uint64_t address) const;
    [[nodiscard]] bool mayRefresh();
    void refresh();

    Parts parts_[2];
    std::atomic<std::uint32_t> newest_;      ///< which of the two counts + 1; 0: none yet
    std::atomic<std::uint64_t> atItSinceNs_; ///< 0: nobody reads it
    std::atomic<std::uint64_t> firstNs_;     ///< when it was read first
    std::atomic<std::uint64_t> spentNs_;     ///< with reading it
};
extern ExecutableMemory executableMemory;

} // namespace highwater::agent
