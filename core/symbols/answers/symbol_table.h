#pragma once

#include "core/symbols/answers/name_source.h"

#include <mutex>

namespace highwater::symbols {

/// All names of one trace, filled module by module in the background and read through immutable views. Any thread.
class SymbolTable final : public NameSource {
  public:
    [[nodiscard]] std::shared_ptr<const NameView> view() const override;

    /// Adds answers of a module to those that are there; an address that is answered again takes the new answer.
    /// Readers see it with the next view().
    void add(store::ModuleIndex module, std::span<const Rva> addresses, const ResolvedAddresses& names);
    /// Forgets a module's names (its debug file changed) or all (the symbol path changed).
    void forget(store::ModuleIndex module);
    void forgetAll();
    /// Those of the addresses that have no answer yet, sorted, each once.
    [[nodiscard]] std::vector<Rva> unanswered(store::ModuleIndex module, std::span<const Rva> addresses) const;

  private:
    void change();

    mutable std::mutex mutex_;
    NameView current_;
    /// A copy of it for readers, made when one asks: traces of profiles have names of 60,000 modules, added one by one.
    mutable std::shared_ptr<const NameView> view_;
};

/// One list of answers out of two; the second wins. The addresses of each need no order.
[[nodiscard]] ModuleNames mergedNames(const ModuleNames& first, std::span<const Rva> addresses,
                                      const ResolvedAddresses& names);

} // namespace highwater::symbols
