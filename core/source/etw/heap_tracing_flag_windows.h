#pragma once

#include "core/source/contract/heap_tracing_flags.h"

#include <memory>
#include <string>

namespace highwater::source {

/// The heap tracing flag of one program, set as long as the object exists (docs/etw.md 2.5, 6). The previous value is
/// stored first, under Highwater's own key, so that it can be restored after a crash.
class HeapTracingFlag {
  public:
    /// `program`: the name of its file. Changes nothing if the flag is already set.
    static Result<std::unique_ptr<HeapTracingFlag>> set(const std::wstring& program);
    ~HeapTracingFlag();
    HeapTracingFlag(const HeapTracingFlag&) = delete;
    HeapTracingFlag& operator=(const HeapTracingFlag&) = delete;

  private:
    explicit HeapTracingFlag(std::wstring program, bool isOurs) : program_(std::move(program)), isOurs_(isOurs) {}
    std::wstring program_;
    bool isOurs_;
};

enum class FlagOwner {
    ThisProcess,
    NobodyAlive, ///< a Highwater that was killed
};
/// Restores the flags that these owners have set; returns the programs' names.
std::vector<std::wstring> restoreHeapTracingFlags(FlagOwner owner);

} // namespace highwater::source
