#include "app/tools/fleet/command/frame_names.h"

#include "core/analysis/frames/frame_labels.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/summary/normalised_name.h"
#include "core/symbols/demangling/function_name.h"
#include "core/symbols/resolver/module_log.h"
#include "core/symbols/resolver/module_resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace highwater::cli {
namespace {

using symbols::Rva;

/// As in tables.
constexpr std::string_view kNamelessInlined = "(unknown)";

template <typename Number>
bool readHex(std::string_view digits, Number& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return error == std::errc() && end == digits.data() + digits.size();
}

/// Recognizes a PDB id, a GUID as 32 upper-case digits followed by the age, as in folders of symbol servers. Anything
/// else is a build id, which is lower case (of a hundred million 20-byte ids, one has no letters).
symbols::SymbolIdentity identityOf(const std::string& buildId) {
    constexpr std::size_t kGuidDigits = 32;
    symbols::SymbolIdentity identity;
    const std::string_view text = buildId;
    const bool isPdb = text.size() > kGuidDigits && text.size() <= kGuidDigits + 8 &&
                       text.find_first_of("abcdef") == std::string_view::npos;
    auto& guid = identity.pdbGuid;
    if (isPdb && readHex(text.substr(0, 8), guid.data1) && readHex(text.substr(8, 4), guid.data2) &&
        readHex(text.substr(12, 4), guid.data3) && readHex(text.substr(kGuidDigits), identity.pdbAge)) {
        for (std::size_t i = 0; i < guid.data4.size(); ++i)
            if (!readHex(text.substr(16 + 2 * i, 2), guid.data4[i])) return {};
        return identity;
    }
    identity.buildId = symbols::bytesOfHex(buildId).value_or("");
    return identity;
}

/// Files in the folders of the path, by module name as in a fleet, without versions.
std::multimap<std::string, std::string> filesAlong(const symbols::SymbolPath& path) {
    constexpr std::string_view kDebug = ".debug";
    std::multimap<std::string, std::string> files;
    const auto environment = symbols::systemEnvironment();
    for (const auto& entry : path.entries()) {
        if (entry.kind != symbols::SymbolPathEntry::Kind::Folder || !entry.isTicked) continue;
        std::error_code error;
        std::filesystem::directory_iterator at(symbols::expandVariables(entry.place, environment), error);
        for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
            auto name = utf8(at->path().filename());
            if (name.ends_with(kDebug)) name.resize(name.size() - kDebug.size());
            files.emplace(summary::normalisedModule(name), std::move(name));
        }
    }
    return files;
}

symbols::SoughtImage imageOf(const std::string& module, const std::string& buildId) {
    symbols::SoughtImage image;
    image.name = module;
    image.identity = identityOf(buildId);
    // The PDB name is not stored; linkers use the name of the module.
    if (image.identity.hasPdb()) image.pdbName = module.substr(0, module.rfind('.')) + ".pdb";
    return image;
}

summary::Frame frameOf(const summary::Frame& unnamed, std::string_view function, const symbols::ModuleNames& names,
                       const symbols::ResolvedFrame& frame) {
    auto name = summary::normalised(fmt::format("{}!{}", unnamed.module, function));
    auto named = unnamed;
    named.name = std::move(name.text);
    named.isNamed = true;
    named.file = names.file(frame);
    named.line = frame.line;
    return named;
}

/// The functions at an address, named as in tables; empty if there is no name.
std::vector<summary::Frame> functionsAt(const summary::Frame& unnamed, const symbols::ModuleNames& names) {
    const auto chain = names.framesAt(unnamed.rva);
    if (!chain || chain->empty() || !analysis::isNamedBy(names.function(chain->back()), chain->back())) return {};
    std::vector<summary::Frame> functions;
    for (const auto& frame : *chain) {
        auto name = symbols::readableName(names.function(frame).linkageName, symbols::NameStyle::Short);
        if (name.empty() && &frame == &chain->back()) return {};
        if (name.empty()) name = kNamelessInlined;
        functions.push_back(frameOf(unnamed, name, names, frame));
    }
    return functions;
}

/// Searches the debug file by each possible name of the module.
symbols::ModuleAnswer answerTo(const symbols::ModuleResolver& resolver, symbols::SoughtImage image,
                               std::span<const Rva> addresses, const std::multimap<std::string, std::string>& files) {
    std::set<std::string> names;
    const auto [first, last] = files.equal_range(image.name);
    for (auto at = first; at != last; ++at)
        if (at->second != image.name) names.insert(at->second);
    highwater::Progress progress;
    auto answer = resolver.resolve(image, addresses, progress, {});
    for (auto name = names.begin(); name != names.end() && answer.state != symbols::SymbolSearch::State::Found;
         ++name) {
        image.name = *name;
        answer = resolver.resolve(image, addresses, progress, {});
    }
    return answer;
}

} // namespace

NamesOfFleet nameFrames(std::span<const summary::Frame> frames, const symbols::SymbolPath& path,
                        const std::filesystem::path& cache) {
    NamesOfFleet found;
    std::map<std::pair<std::string, std::string>, std::vector<const summary::Frame*>> modules;
    for (const auto& frame : frames) {
        if (frame.buildId.empty() || frame.module.empty())
            ++found.withoutBuild;
        else
            modules[{frame.module, frame.buildId}].push_back(&frame);
    }
    symbols::StoreOptions options;
    options.cacheFolder = cache;
    symbols::SymbolFetcher fetcher;
    const symbols::SymbolStore store(path, options, fetcher);
    symbols::NameCache names(cache / "names");
    const symbols::ModuleResolver resolver(store, names);
    const auto files = filesAlong(path);
    for (const auto& [module, unnamed] : modules) {
        std::vector<Rva> addresses;
        for (const auto* frame : unnamed)
            addresses.push_back(frame->rva);
        std::sort(addresses.begin(), addresses.end());
        addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
        auto answer = answerTo(resolver, imageOf(module.first, module.second), addresses, files);
        symbols::logModule(module.first, answer);
        const symbols::ModuleNames ofModule(std::move(answer.addresses), std::move(answer.names));
        auto& summed = found.modules.emplace_back(ModuleOfFleet{module.first, module.second, 0, unnamed.size()});
        for (const auto* frame : unnamed) {
            auto functions = functionsAt(*frame, ofModule);
            if (functions.empty()) continue;
            ++summed.named;
            found.frames.push_back({frame->name, frame->buildId, std::move(functions)});
        }
    }
    return found;
}

} // namespace highwater::cli
