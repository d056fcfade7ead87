#pragma once

#include <cstddef>

namespace highwater {

/// Watches a mapped file for reads that the system cannot satisfy because the file was truncated or its disk does not
/// respond. The signal for that (SIGBUS) would end the program. During the lifetime of this object, such a page of the
/// mapping is replaced with zeros, and the fact is recorded. Any other such signal permanently restores the previous
/// handler. Any thread.
class ReadFaults {
  public:
    ReadFaults(void* begin, std::size_t bytes);
    ~ReadFaults() { forget(); }
    ReadFaults(const ReadFaults&) = delete;
    ReadFaults& operator=(const ReadFaults&) = delete;

    /// Call before unmapping, because the addresses may be reused.
    void forget();
    [[nodiscard]] bool happened() const;

  private:
    int slot_ = -1; ///< -1: not watched because there are too many
};

} // namespace highwater
