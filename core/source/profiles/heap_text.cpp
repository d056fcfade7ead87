#include "core/source/profiles/heap_text.h"

#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/source/profiles/line_reader.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace highwater::source {
namespace {

constexpr std::string_view kOfGperftools = "heap profile: ";
constexpr std::string_view kOfJemalloc = "heap_v2/";
constexpr std::string_view kSymbols = "--- symbol";
constexpr std::string_view kMappings = "MAPPED_LIBRARIES:";
constexpr std::size_t kMostHeapTextFrames = 4096;

/// The next number behind what is none of it; nothing: there is none.
std::optional<std::uint64_t> takeNumber(std::string_view& text, int base = 10) {
    const auto begin = text.find_first_of("0123456789abcdef");
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// "100: 1000 [200: 2000]": what is in use, and what was allocated in all.
struct HeapAmounts {
    std::uint64_t usedObjects = 0, usedBytes = 0, allObjects = 0, allBytes = 0;
};
std::optional<HeapAmounts> takeAmounts(std::string_view text) {
    HeapAmounts amounts;
    for (auto* value : {&amounts.usedObjects, &amounts.usedBytes, &amounts.allObjects, &amounts.allBytes}) {
        const auto number = takeNumber(text);
        if (!number || *number > kMostProfileBytes) return std::nullopt;
        *value = *number;
    }
    return amounts;
}

class HeapTextReader {
  public:
    explicit HeapTextReader(std::string_view text) : text_(text) {}

    /// False: it is of another kind.
    bool read() {
        while (const auto line = next()) {
            if (line->starts_with(kSymbols)) readSymbols();
            if (line->starts_with(kMappings)) readMappings();
        }
        at_ = 0;
        while (const auto line = next()) {
            if (line->starts_with(kMappings)) break;
            if (line->starts_with(kOfGperftools) && !takeHeader(*line)) return false;
            if (line->starts_with(kOfJemalloc)) takeRate(line->substr(kOfJemalloc.size()));
            takeLine(*line);
            if (isTooMuch()) break;
        }
        return hasHeader_;
    }
    /// Of what it keeps.
    [[nodiscard]] bool isTooMuch() const {
        constexpr std::size_t kBytesOfEntry = 80; // of a table, with what finds it
        return source::isTooMuch(profile_, (mappings_.size() + names_.size() + frames_.size()) * kBytesOfEntry);
    }
    [[nodiscard]] bool isSampled() const { return rate_ > 1; }
    [[nodiscard]] bool hasNames() const { return !names_.empty(); }
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    [[nodiscard]] bool isOfJemalloc() const { return isOfJemalloc_; }
    /// Its stacks have less than it says to have in all, or its end is missing.
    [[nodiscard]] bool isCut() const {
        const bool hasModules = hasMappings_ || hasNames(); // with names there are none behind it
        return !text_.ends_with('\n') || !hasModules || usedBytes_ < usedBytesSaid_;
    }
    [[nodiscard]] Profile take() { return std::move(profile_); }

  private:
    struct Mapping {
        Address last = 0;
        std::string_view path;
    };

    std::optional<std::string_view> next() {
        if (at_ >= text_.size()) return std::nullopt;
        const auto end = std::min(text_.find('\n', at_), text_.size());
        const auto line = withoutReturn(text_.substr(at_, end - at_));
        at_ = end + 1;
        return line;
    }

    /// "0x000055a28cd0d164 leakOne(int)<0000000000001159>", up to "---".
    void readSymbols() {
        while (const auto line = isTooMuch() ? std::nullopt : next()) {
            if (line->starts_with("---")) return;
            constexpr std::string_view kBinary = "binary=";
            if (line->starts_with(kBinary)) profile_.commandLine = line->substr(kBinary.size());
            if (!line->starts_with("0x")) continue;
            auto rest = line->substr(2);
            const auto address = takeNumber(rest, 16);
            auto name = trimmed(rest);
            if (const auto mark = name.rfind('<');
                mark != std::string_view::npos && mark > 0 && name.ends_with('>') &&
                name.find_first_not_of("0123456789abcdef", mark + 1) == name.size() - 1)
                name = name.substr(0, mark);
            if (address && !name.empty()) names_[*address] = profile_.names.idOf(name);
        }
    }

    /// As /proc/PID/maps has them.
    void readMappings() {
        hasMappings_ = true;
        while (const auto line = isTooMuch() ? std::nullopt : next()) {
            auto rest = *line;
            const auto first = takeNumber(rest, 16).value_or(0);
            const auto last = takeNumber(rest, 16).value_or(0);
            const auto path = rest.find('/');
            if (path == std::string_view::npos || last <= first) continue;
            mappings_[first] = {last - 1, rest.substr(path)};
            if (profile_.commandLine.empty()) profile_.commandLine = rest.substr(path);
        }
    }

    /// "heap profile: 1: 2 [3: 4] @ heapprofile", or "@ heap_v2/524288".
    bool takeHeader(std::string_view line) {
        const auto at = line.find("@ ");
        if (at == std::string_view::npos) return false;
        const auto kind = trimmed(line.substr(at + 2));
        if (const auto all = takeAmounts(line.substr(kOfGperftools.size(), at - kOfGperftools.size())))
            usedBytesSaid_ = all->usedBytes;
        if (kind.starts_with(kOfJemalloc)) rate_ = rateOf(kind.substr(kOfJemalloc.size()));
        hasHeader_ = kind == "heapprofile" || kind.starts_with(kOfJemalloc);
        return hasHeader_;
    }
    static std::uint64_t rateOf(std::string_view text) {
        return std::max<std::uint64_t>(takeNumber(text).value_or(1), 1);
    }
    void takeRate(std::string_view text) {
        hasHeader_ = isOfJemalloc_ = true;
        rate_ = rateOf(text);
    }

    /// "100: 1000 [200: 2000] @ 0x1 0x2", or "@ 0x1 0x2" and below it "t*: 100: 1000 [200: 2000]".
    void takeLine(std::string_view line) {
        line = trimmed(line);
        if (line.starts_with(kOfGperftools) || line.empty()) return;
        if (line.starts_with('@')) return void(stack_ = line.substr(1));
        if (line.starts_with("t*:") && stack_.empty() && profile_.samples.empty()) {
            if (const auto all = takeAmounts(line.substr(3))) usedBytesSaid_ = all->usedBytes;
        }
        if (line.starts_with("t*:") && !stack_.empty()) return addSample(line.substr(3), std::exchange(stack_, {}));
        const auto at = line.find("] @");
        if (!isOfJemalloc_ && at != std::string_view::npos) addSample(line.substr(0, at + 1), line.substr(at + 3));
    }

    void addSample(std::string_view amountsText, std::string_view stack) {
        auto amounts = takeAmounts(amountsText);
        if (!amounts) return void(++damaged_);
        usedBytes_ += std::min(amounts->usedBytes, kMostProfileBytes);
        // Where only what is in use is counted, the rest is 0.
        amounts->allObjects = std::max(amounts->allObjects, amounts->usedObjects);
        amounts->allBytes = std::max(amounts->allBytes, amounts->usedBytes);
        Profile::Sample sample;
        sample.firstFrame = static_cast<std::uint32_t>(profile_.stackFrames.size());
        for (; sample.frames < kMostHeapTextFrames; ++sample.frames) {
            const auto begin = stack.find("0x");
            if (begin == std::string_view::npos) break;
            stack.remove_prefix(begin + 2);
            const auto address = takeNumber(stack, 16);
            if (!address) break;
            profile_.stackFrames.push_back(frameOf(*address));
        }
        add(sample, amounts->usedObjects, amounts->usedBytes, Profile::kNever);
        add(sample, amounts->allObjects - amounts->usedObjects, amounts->allBytes - amounts->usedBytes, 1);
    }
    /// Of samples each stands for as many as it is rare that one is taken.
    void add(Profile::Sample sample, std::uint64_t objects, std::uint64_t bytes, std::int64_t end) {
        if (objects == 0) return;
        const auto size = static_cast<double>(bytes) / static_cast<double>(objects);
        const auto scale = isSampled() && size > 0 ? 1 / -std::expm1(-size / static_cast<double>(rate_)) : 1.0;
        const auto most = static_cast<double>(kMostProfileBytes);
        sample.objects = static_cast<std::uint64_t>(std::min(static_cast<double>(objects) * scale, most));
        sample.bytes = static_cast<std::uint64_t>(std::min(static_cast<double>(bytes) * scale, most));
        sample.end = end;
        profile_.samples.push_back(sample);
    }

    std::uint32_t frameOf(Address address) {
        const auto [entry, isNew] = frames_.emplace(address, static_cast<std::uint32_t>(profile_.frames.size()));
        if (!isNew) return entry->second;
        auto& frame = profile_.frames[profile_.addFrame(0, address)];
        const auto code = address - (address > 0 ? 1 : 0);
        if (auto mapping = mappings_.upper_bound(code); mapping != mappings_.begin()) {
            --mapping;
            if (code <= mapping->second.last) frame.module = profile_.names.idOf(mapping->second.path);
        }
        auto name = names_.find(code);
        if (name == names_.end()) name = names_.find(address); // where the processor stood
        if (name != names_.end()) profile_.addFunction(name->second, 0, 0);
        return entry->second;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool hasHeader_ = false, isOfJemalloc_ = false, hasMappings_ = false;
    std::uint64_t usedBytesSaid_ = 0, usedBytes_ = 0; ///< in use, in all: as it says, and of its stacks
    std::uint64_t rate_ = 1;                          ///< bytes between two samples; 1: all is there
    std::string_view stack_;                          ///< whose amounts follow
    std::map<Address, Mapping> mappings_;
    tsl::robin_map<Address, NameId, SeededHash> names_;
    tsl::robin_map<Address, std::uint32_t, SeededHash> frames_;
    Profile profile_;
    std::uint64_t damaged_ = 0;
};

} // namespace

bool isHeapText(std::string_view start) {
    return start.starts_with(kOfGperftools) || start.starts_with(kOfJemalloc) || start.starts_with(kSymbols);
}

Result<Profile> readHeapText(ByteSpan bytes, std::string_view name) {
    HeapTextReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!reader.read()) {
        return Error{
            ErrorKind::Unsupported,
            fmt::format("{} is a heap profile as text of a kind that Highwater does not read: make one of pprof of it "
                        "(go tool pprof -proto PROGRAM FILE > NEW.pb.gz), or fetch it without debug=1.",
                        name)};
    }
    if (reader.isTooMuch()) return tooManyStacks(name);
    auto profile = reader.take();
    profile.tool = reader.isOfJemalloc() ? "jemalloc" : "gperftools";
    if (reader.isSampled())
        profile.notes.emplace_back("The profile holds samples: numbers are estimates of what they stand for.");
    if (reader.isOfJemalloc())
        profile.notes.emplace_back("Sizes are those of jemalloc's size classes, not what was asked for.");
    if (!reader.hasNames()) {
        profile.notes.push_back(
            reader.isOfJemalloc()
                ? fmt::format("Functions have no names in {}: (jeprof --raw PROGRAM FILE; cat FILE) > NEW makes a file "
                              "with names.",
                              name)
                : fmt::format(
                      "Functions have no names in {}: go tool pprof -proto PROGRAM FILE > NEW.pb.gz makes a file "
                      "with names.",
                      name));
    }
    if (reader.isCut()) profile.remarks.push_back(fmt::format("{} is cut off: what follows is missing.", name));
    if (reader.damaged() > 0) {
        profile.remarks.push_back(
            fmt::format("Damaged parts of {} that were left out: {}.", name, thousands(reader.damaged())));
    }
    return profile;
}

} // namespace highwater::source
