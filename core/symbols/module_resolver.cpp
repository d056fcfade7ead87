#include "core/symbols/module_resolver.h"

#include "core/symbols/symbol_table.h"

#include <algorithm>

namespace highwater::symbols {
namespace {

/// The answers to just these addresses, all of which are known.
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

} // namespace

ModuleAnswer ModuleResolver::resolve(const SoughtImage& image, std::span<const Rva> addresses, Progress& progress,
                                     std::stop_token stop) const {
    ModuleAnswer answer;
    answer.addresses.assign(addresses.begin(), addresses.end());
    if (!std::is_sorted(answer.addresses.begin(), answer.addresses.end()))
        std::sort(answer.addresses.begin(), answer.addresses.end());
    answer.addresses.erase(std::unique(answer.addresses.begin(), answer.addresses.end()), answer.addresses.end());

    auto cached = cache_.load(image.identity);
    ModuleNames known = cached ? std::move(cached->names) : ModuleNames();
    std::vector<Rva> open;
    std::set_difference(answer.addresses.begin(), answer.addresses.end(), known.addresses().begin(),
                        known.addresses().end(), std::back_inserter(open));
    // A better debug file may have come since only public names were found; it is looked for again.
    const bool isEnough = cached && cached->quality == NameCache::Quality::Private && open.empty();
    if (isEnough) {
        answer.names = pick(std::move(known), answer.addresses);
        answer.state = SymbolSearch::State::Found;
        answer.isFromCache = answer.hasPrivateSymbols = true;
        return answer;
    }
    auto search = store_.find(image, progress, stop);
    answer.state = search.state;
    answer.path = search.path;
    answer.tried = std::move(search.tried);
    const bool isPrivate = search.file != nullptr && search.file->hasPrivateSymbols();
    const bool isBetter = isPrivate && cached && cached->quality == NameCache::Quality::PublicOnly;
    if (isBetter) known = ModuleNames();
    if (search.file != nullptr) {
        const auto& asked = isBetter ? answer.addresses : open;
        const auto names = search.file->resolve(asked, stop);
        if (stop.stop_requested()) {
            answer.state = SymbolSearch::State::Cancelled;
            return answer;
        }
        known = mergedNames(known, asked, names);
        const bool isDebugFile = isPrivate || search.file->identity().hasPdb();
        const auto quality = isPrivate ? NameCache::Quality::Private : NameCache::Quality::PublicOnly;
        // Exports and dynamic symbols are read as fast as the cache, and would hide a debug file that comes later.
        if (isDebugFile && search.path != image.path) (void)cache_.save(image.identity, {known, quality}).hasValue();
        answer.hasPrivateSymbols = isPrivate;
    }
    answer.names = pick(std::move(known), answer.addresses);
    return answer;
}

} // namespace highwater::symbols
