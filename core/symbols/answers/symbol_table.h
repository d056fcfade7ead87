#pragma once

#include "core/symbols/answers/name_source.h"

#include <mutex>

namespace highwater::symbols {

/// All names of one trace, filled module by module in the background and read through immutable views. Any thread.
class SymbolTable final : public NameSource {
  public:
    [[nodiscard]] std::shared_ptr<const NameView> view() const override;

    /// Adds answers of a module. An address that is answered again gets the new answer. Readers see it with the next
    /// view().
    void add(store::ModuleIndex module, std::span<const Rva> addresses, const ResolvedAddresses& names);
    /// Removes the names of a module (its debug file changed) or all names (the symbol path changed).
    void forget(store::ModuleIndex module);
    void forgetAll();
    /// The addresses without an answer, sorted and unique.
    [[nodiscard]] std::vector<Rva> unanswered(store::ModuleIndex module, std::span<const Rva> addresses) const;

  private:
    void change();

    mutable std::mutex mutex_;
    NameView current_;
    /// Copied only when a reader needs it, because a profile may add the names of 60,000 modules one by one.
    mutable std::shared_ptr<const NameView> view_;
};

/// Merges two lists of answers; the second has priority. The addresses need not be sorted.
[[nodiscard]] ModuleNames mergedNames(const ModuleNames& first, std::span<const Rva> addresses,
                                      const ResolvedAddresses& names);

} // namespace highwater::symbols
