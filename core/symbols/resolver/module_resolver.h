#pragma once

#include "core/symbols/store/name_cache.h"
#include "core/symbols/store/symbol_store.h"

namespace highwater::symbols {

/// The result for one module's addresses.
struct ModuleAnswer {
    std::vector<Rva> addresses; ///< sorted and unique
    ResolvedAddresses names;    ///< for `addresses`
    SymbolSearch::State state = SymbolSearch::State::NotFound;
    bool isFromCache = false; ///< no debug file was read
    SymbolSearch::Origin origin = SymbolSearch::Origin::Named;
    bool hasPrivateSymbols = false;
    std::filesystem::path path;    ///< the debug file, if one was opened
    std::vector<TriedPlace> tried; ///< by the search
};

/// Names the addresses of one module: from the name cache, and for the rest from its debug file, whose answers are then
/// cached. Cached names are valid only if they came from the debug file that would be read now, or from one that no
/// longer exists in a place that the user still specifies. Names from files that came with a trace are not cached.
/// Blocks; call from a worker, in parallel for several modules. The arguments must outlive it.
class ModuleResolver {
  public:
    ModuleResolver(const SymbolStore& store, NameCache& cache) : store_(store), cache_(cache) {}

    [[nodiscard]] ModuleAnswer resolve(const SoughtImage& image, std::span<const Rva> addresses, Progress& progress,
                                       std::stop_token stop) const;

  private:
    [[nodiscard]] std::optional<NameCache::Entry> cachedFor(const SoughtImage& image, std::optional<SymbolSearch>& here,
                                                            const std::stop_token& stop) const;

    const SymbolStore& store_;
    NameCache& cache_;
};

} // namespace highwater::symbols
