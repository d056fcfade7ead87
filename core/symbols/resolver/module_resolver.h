#pragma once

#include "core/symbols/store/name_cache.h"
#include "core/symbols/store/symbol_store.h"

namespace highwater::symbols {

/// What became of one module's addresses.
struct ModuleAnswer {
    std::vector<Rva> addresses; ///< sorted, each once
    ResolvedAddresses names;    ///< of those
    SymbolSearch::State state = SymbolSearch::State::NotFound;
    bool isFromCache = false; ///< no debug file was read
    SymbolSearch::Origin origin = SymbolSearch::Origin::Named;
    bool hasPrivateSymbols = false;
    std::filesystem::path path;    ///< of the debug file, when one was opened
    std::vector<TriedPlace> tried; ///< of the search
};

/// Names the addresses of one module: from the cache of names, and for what is not there from its debug file, whose
/// answers are then kept. Kept names count only if the debug file that gave them is the one that would be read now, or
/// is gone from a place that the user still names; what came with a trace is not kept. Blocks; call from a worker, for
/// several modules from several. The parts must outlive it.
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
