#include "core/symbols/places/symbol_path.h"

#include "core/base/text.h"
#include "core/symbols/places/system_symbol_places.h"
#include "core/symbols/places/trusted_image_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace highwater::symbols {
namespace {

using Kind = SymbolPathEntry::Kind;

constexpr std::string_view kBuildIdPrefix = "build-id:";
constexpr std::string_view kDebuginfodPrefix = "debuginfod:";
constexpr std::string_view kBuildIdFolder = ".build-id";

/// Trims each part.
std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0;;) {
        const auto end = text.find(separator, begin);
        parts.emplace_back(trimmed(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
        if (end == std::string_view::npos) return parts;
        begin = end + 1;
    }
}

/// The parts of `word*a*b` if the text starts with that word.
std::optional<std::vector<std::string>> starred(std::string_view text, std::string_view word) {
    if (text.size() <= word.size() || text[word.size()] != '*') return std::nullopt;
    if (lowered(text.substr(0, word.size())) != word) return std::nullopt;
    return split(text.substr(word.size() + 1), '*');
}

SymbolPathEntry parseStarred(std::vector<std::string> parts) {
    SymbolPathEntry entry{Kind::Server, {}, std::move(parts.back()), true};
    parts.pop_back();
    entry.caches = std::move(parts);
    return entry;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const auto& part : parts)
        text += part + '*';
    return text;
}

std::uint64_t bytesBelow(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    std::filesystem::recursive_directory_iterator files(
        folder, std::filesystem::directory_options::skip_permission_denied, error);
    for (; !error && files != std::filesystem::recursive_directory_iterator(); files.increment(error)) {
        const auto& place = files->path();
        const auto found = placeTypeBelow(place, place);
        if (found == PlaceBelow::Link) files.disable_recursion_pending();
        if (found != PlaceBelow::File) continue;
        std::error_code noSize;
        const auto size = files->file_size(noSize);
        if (!noSize) bytes += size;
    }
    return bytes;
}

} // namespace

SymbolPathEntry parseSymbolPathEntry(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('!')) {
        // Not recursive: the text may have more of them than the stack has room for calls.
        while (text.starts_with('!'))
            text = trimmed(text.substr(1));
        auto entry = parseSymbolPathEntry(text);
        entry.isTicked = false;
        return entry;
    }
    if (auto parts = starred(text, "srv")) return parseStarred(std::move(*parts));
    if (auto parts = starred(text, "symsrv")) { // symsrv*symsrv.dll*cache*url
        if (parts->size() > 1) parts->erase(parts->begin());
        return parseStarred(std::move(*parts));
    }
    if (auto parts = starred(text, "cache")) return {Kind::Cache, {}, std::move(parts->front()), true};
    if (lowered(text).starts_with(kBuildIdPrefix))
        return {Kind::BuildIdFolder, {}, std::string(trimmed(text.substr(kBuildIdPrefix.size()))), true};
    if (lowered(text).starts_with(kDebuginfodPrefix))
        return {Kind::Debuginfod, {}, std::string(trimmed(text.substr(kDebuginfodPrefix.size()))), true};
    const auto lower = lowered(text);
    if (lower.starts_with("http://") || lower.starts_with("https://")) return parseStarred(split(text, '*'));
    if (text.ends_with(kBuildIdFolder)) return {Kind::BuildIdFolder, {}, std::string(text), true};
    return {Kind::Folder, {}, std::string(text), true};
}

std::string toText(const SymbolPathEntry& entry) {
    const std::string tick = entry.isTicked ? "" : "!";
    switch (entry.kind) {
    case Kind::Folder:
        return tick + entry.place;
    case Kind::Cache:
        return tick + "cache*" + entry.place;
    case Kind::Server:
        return tick + "srv*" + joined(entry.caches) + entry.place;
    case Kind::BuildIdFolder: {
        const bool showsWhatItIs =
            parseSymbolPathEntry(entry.place) == SymbolPathEntry{entry.kind, {}, entry.place, true};
        return tick + (showsWhatItIs ? "" : std::string(kBuildIdPrefix)) + entry.place;
    }
    case Kind::Debuginfod:
        return tick + std::string(kDebuginfodPrefix) + entry.place;
    }
    return {};
}

SymbolPath SymbolPath::parse(std::string_view text) {
    SymbolPath path;
    for (const auto& part : split(text, ';')) {
        if (!part.empty()) path.append(parseSymbolPathEntry(part));
    }
    return path;
}

std::string SymbolPath::toText() const {
    std::string text;
    for (const auto& entry : entries_)
        text += (text.empty() ? "" : ";") + symbols::toText(entry);
    return text;
}

std::string expandVariables(std::string_view text, const Environment& environment) {
    std::string out;
    if (text.starts_with("~/")) {
        out = environment("HOME").value_or("~");
        text.remove_prefix(1);
    }
    while (!text.empty()) {
        const auto begin = text.find('%');
        const auto end = begin == std::string_view::npos ? begin : text.find('%', begin + 1);
        if (end == std::string_view::npos) break;
        out += text.substr(0, begin);
        const std::string name(text.substr(begin + 1, end - begin - 1));
        const auto value = name.empty() ? std::nullopt : environment(name);
        // An unset variable is not replaced, and its second % may start another one.
        out += value ? *value : "%" + name;
        text.remove_prefix(value ? end + 1 : end);
    }
    return out + std::string(text);
}

SymbolPath localSymbolPath(const Environment& environment) {
    auto path = SymbolPath::parse(environment("_NT_SYMBOL_PATH").value_or(""));
    for (auto& place : systemSymbolPlaces())
        path.append(std::move(place));
    return path;
}

SymbolPath defaultSymbolPath(const Environment& environment) {
    auto path = localSymbolPath(environment);
    const auto servers = environment("DEBUGINFOD_URLS").value_or("");
    for (const auto& server : split(servers, ' ')) {
        if (!server.empty()) path.append({Kind::Debuginfod, {}, server, true});
    }
    return path;
}

std::optional<std::filesystem::path> userCacheFolder(const Environment& environment) {
    for (const auto& [variable, below] : {std::pair{"LOCALAPPDATA", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", ".cache"}}) {
        const auto folder = environment(variable);
        if (folder && !folder->empty()) return std::filesystem::path(*folder) / below;
    }
    return std::nullopt;
}

std::filesystem::path defaultCacheFolder(const Environment& environment) {
    if (const auto folder = environment("_NT_SYMCACHE_PATH"); folder && !folder->empty())
        return expandVariables(*folder, environment);
    constexpr auto kBelow = "highwater/symbols";
    if (const auto folder = userCacheFolder(environment)) return *folder / kBelow;
    // With a name that cannot be guessed: under a known name, another user could have put files there.
    static const auto name = fmt::format("highwater-{:08x}{:08x}", std::random_device()(), std::random_device()());
    std::error_code error;
    return std::filesystem::temp_directory_path(error) / name / kBelow;
}

std::optional<TraceSymbolFolder> traceSymbolFolder(const std::filesystem::path& trace) {
    const auto folder = traceSymbolPath(trace);
    if (!folder) return std::nullopt;
    return TraceSymbolFolder{*folder, bytesBelow(*folder)};
}

bool isTraceArchive(const std::filesystem::path& trace) {
    const auto ending = lowered(utf8(trace.extension()));
    return ending == ".zip" || ending == ".diagsession";
}

std::optional<std::filesystem::path> traceSymbolPath(const std::filesystem::path& trace) {
    auto whole = trace;
    whole += ".NGENPDB";
    for (const auto& folder : {whole, std::filesystem::path(trace).replace_extension(".NGENPDB")}) {
        if (placeTypeBelow(folder, folder) == PlaceBelow::Folder) return folder;
    }
    return std::nullopt;
}

} // namespace highwater::symbols
