#pragma once

#include "core/store/published/published_trace.h"
#include "core/symbols/answers/symbol_table.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

namespace highwater::tests {

/// Names for the functions of a SmallTrace, added and removed during use. Can also block all callers that request
/// names, as a long relabelling does.
class SmallNames final : public symbols::NameSource {
  public:
    [[nodiscard]] std::shared_ptr<const symbols::NameView> view() const override;

    /// The functions of a module by the offsets where they start; "" is a hole. Up to offset 0x1000.
    void name(const store::PublishedTrace& trace, const std::string& module,
              const std::map<symbols::Rva, std::string>& functions);
    /// The same; at each address a call of `inlined` is inlined into the function.
    void nameInlined(const store::PublishedTrace& trace, const std::string& module,
                     const std::map<symbols::Rva, std::string>& functions, const std::string& inlined);
    void forget(const store::PublishedTrace& trace, const std::string& module);
    void holdBack(bool isHeldBack);
    /// A caller is blocked by holdBack().
    [[nodiscard]] bool isWaitedFor() const;

  private:
    symbols::SymbolTable table_;
    mutable std::mutex mutex_;
    mutable std::condition_variable freed_;
    bool isHeldBack_ = false;
    mutable int waiting_ = 0;
};

} // namespace highwater::tests
