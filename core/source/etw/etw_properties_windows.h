#pragma once

#include "core/source/etw/etw_api_windows.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace highwater::source {

/// The settings for starting a session. A value.
struct EtwSessionShape {
    std::wstring name;
    GUID guid{};
    ULONG mode = 0; ///< LogFileMode
    ULONG bufferKb = 0;
    ULONG leastBuffers = 0;
    ULONG mostBuffers = 0;
    std::vector<std::uint32_t> extension; ///< empty: none
};

/// EVENT_TRACE_PROPERTIES followed in the same block (docs/etw.md 1.2, 2.2) by the name and the extension. The system
/// writes into it, so every call needs a new one.
class EtwProperties {
  public:
    /// For StartTraceW and UPDATE.
    explicit EtwProperties(const EtwSessionShape& shape);
    /// For QUERY, FLUSH and STOP, and for listing sessions: with room for any name.
    EtwProperties();

    [[nodiscard]] EVENT_TRACE_PROPERTIES* get() { return reinterpret_cast<EVENT_TRACE_PROPERTIES*>(block_.data()); }
    [[nodiscard]] std::size_t bytes() const { return block_.size() * sizeof(std::uint64_t); }
    /// The session's name, after the system has set it.
    [[nodiscard]] std::wstring name();

  private:
    void prepare(std::size_t bytes);

    std::vector<std::uint64_t> block_; ///< with the alignment of the structure
};

} // namespace highwater::source
