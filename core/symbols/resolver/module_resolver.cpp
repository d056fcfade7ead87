#include "core/symbols/resolver/module_resolver.h"

#include "core/symbols/answers/symbol_table.h"

#include <algorithm>

namespace highwater::symbols {
namespace {

/// The answers for exactly these addresses, all of which are known.
ResolvedAddresses pick(ModuleNames names, std::span<const Rva> addresses) {
    if (std::equal(addresses.begin(), addresses.end(), names.addresses().begin(), names.addresses().end()))
        return std::move(names).takeNames();
    ResolvedAddresses out;
    out.functions = names.names().functions;
    out.files = names.names().files;
    for (const auto address : addresses) {
        const auto frames = names.framesAt(address).value_or(std::span<const ResolvedFrame>());
        out.frames.insert(out.frames.end(), frames.begin(), frames.end());
        out.firstFrame.push_back(static_cast<std::uint32_t>(out.frames.size()));
    }
    return out;
}

std::vector<Rva> sortedOnce(std::span<const Rva> addresses) {
    std::vector<Rva> sorted(addresses.begin(), addresses.end());
    if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
}

bool isNamedFile(const SymbolSearch& search) {
    return search.file != nullptr && search.origin == SymbolSearch::Origin::Named;
}

} // namespace

ModuleAnswer ModuleResolver::resolve(const SoughtImage& image, std::span<const Rva> addresses, Progress& progress,
                                     std::stop_token stop) const {
    ModuleAnswer answer;
    answer.addresses = sortedOnce(addresses);
    std::optional<SymbolSearch> here;
    auto cached = cachedFor(image, here, stop);
    ModuleNames known = cached ? std::move(cached->names) : ModuleNames();
    std::vector<Rva> open;
    std::set_difference(answer.addresses.begin(), answer.addresses.end(), known.addresses().begin(),
                        known.addresses().end(), std::back_inserter(open));
    // A better debug file may have appeared since only public names were found, so it is searched for again.
    if (cached && cached->quality == NameCache::Quality::Private && open.empty()) {
        answer.names = pick(std::move(known), answer.addresses);
        answer.state = SymbolSearch::State::Found;
        answer.isFromCache = answer.hasPrivateSymbols = true;
        return answer;
    }
    const bool isSearched = here && !(here->hasSkippedServers && store_.mayDownload());
    auto search = isSearched ? std::move(*here) : store_.find(image, progress, stop);
    answer.state = search.state;
    answer.path = search.path;
    answer.origin = search.origin;
    answer.tried = std::move(search.tried);
    if (search.file != nullptr) {
        // Names of another file are not mixed with those of the accepted file.
        const auto source = stampOf(search.path);
        const bool isOther = isNamedFile(search) && !(cached && cached->source == source);
        if (isOther) known = ModuleNames();
        const auto& asked = isOther ? answer.addresses : open;
        const auto names = search.file->resolve(asked, stop);
        if (stop.stop_requested()) {
            answer.state = SymbolSearch::State::Cancelled;
            return answer;
        }
        known = mergedNames(known, asked, names);
        answer.hasPrivateSymbols = search.file->hasPrivateSymbols();
        // Exports and dynamic symbols are not cached: they are read as fast as the cache, and would hide a debug file
        // that appears later. The same holds for a debug file whose related files (.dwo, dwz) are not available.
        const bool isWhole = !answer.hasPrivateSymbols || search.file->remark().empty();
        const bool isDebugFile = isWhole && (answer.hasPrivateSymbols || search.file->identity().hasPdb());
        const auto quality = answer.hasPrivateSymbols ? NameCache::Quality::Private : NameCache::Quality::PublicOnly;
        if (isDebugFile && isNamedFile(search)) (void)cache_.save(image.identity, {known, quality, source}).hasValue();
    }
    answer.names = pick(std::move(known), answer.addresses);
    return answer;
}

/// The cached names of the module, if they came from the file that exists now. `here`: the result of a search without
/// downloads, if there was one.
std::optional<NameCache::Entry> ModuleResolver::cachedFor(const SoughtImage& image, std::optional<SymbolSearch>& here,
                                                          const std::stop_token& stop) const {
    auto cached = cache_.load(image.identity);
    if (!cached) return std::nullopt;
    here = store_.findCached(image, stop);
    const bool isBelieved =
        isNamedFile(*here) ? stampOf(here->path) == cached->source : store_.isNamedPlace(cached->source.path);
    if (!isBelieved) cached.reset();
    return cached;
}

} // namespace highwater::symbols
