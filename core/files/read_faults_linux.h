#pragma once

#include <cstddef>

namespace highwater {

/// Watches a mapped file for reads that the system cannot serve: somebody cut the file off, or its disk does not
/// answer. The signal for that (SIGBUS) would end the program. While this object lives, such a page of the mapping is
/// replaced by one of zeros instead, and the fact is kept. At any other such signal whoever handled it before does so
/// again, for good. Any thread.
class ReadFaults {
  public:
    ReadFaults(void* begin, std::size_t bytes);
    ~ReadFaults() { forget(); }
    ReadFaults(const ReadFaults&) = delete;
    ReadFaults& operator=(const ReadFaults&) = delete;

    /// Before the mapping is taken away: the addresses may be another's next.
    void forget();
    [[nodiscard]] bool happened() const;

  private:
    int slot_ = -1; ///< -1: not watched, there are too many
};

} // namespace highwater
