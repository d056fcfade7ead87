#include "core/source/profiles/heap_text.h"

#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/source/profiles/line_reader.h"
#include "core/source/profiles/stack_sums.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace highwater::source {
namespace {

constexpr std::string_view kOfGperftools = "heap profile: ";
constexpr std::string_view kOfJemalloc = "heap_v2/";
constexpr std::string_view kSymbols = "--- symbol";
constexpr std::string_view kMappings = "MAPPED_LIBRARIES:";
constexpr std::size_t kMostHeapTextFrames = 4096, kMostInlined = 256, kMostKindBytes = 80;
constexpr std::uint64_t kMostLine = std::uint64_t{1} << 31;

/// The next number, after skipping other characters; nothing: none left.
std::optional<std::uint64_t> takeNumber(std::string_view& text, int base = 10) {
    const auto begin = text.find_first_of("0123456789abcdef");
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin);
    if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// "100: 1000 [200: 2000]": amounts in use, and total allocations. Numbers can be negative after parts of a mapping
/// were freed.
std::optional<StackAmounts> takeAmounts(std::string_view text) {
    StackAmounts amounts;
    for (auto* value : {&amounts.usedObjects, &amounts.usedBytes, &amounts.allocatedObjects, &amounts.allocatedBytes}) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t:[]"), text.size()));
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
        if (error != std::errc()) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return amounts;
}

/// The kind of data in such a file, identified by its first line.
struct HeapTextKind {
    std::string_view name;
    std::string_view note; ///< empty: memory in use
    bool isRateDoubled = false;
};
constexpr std::array kHeapTextKinds{
    HeapTextKind{"heapprofile", {}},
    HeapTextKind{"heap_v2", {}},
    HeapTextKind{"heapz_v2", {}},
    HeapTextKind{"heap", {}, true}, // Go
    HeapTextKind{"growth",
                 "The profile counts memory that tcmalloc requested from the system, by stack. It does not show how "
                 "much of it is in use."},
    HeapTextKind{"fragmentation", "The profile counts memory lost to fragmentation, by stack. It does not show memory "
                                  "in use."},
};

void addAmount(std::int64_t& sum, std::int64_t value) {
    if (__builtin_add_overflow(sum, value, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

class HeapTextReader {
  public:
    explicit HeapTextReader(std::string_view text) : text_(text) {}

    /// False: another kind of file.
    bool read() {
        std::size_t records = 0;
        while (const auto line = next()) {
            if (line->starts_with(kSymbols)) readSymbols();
            if (isOfMappings(*line)) readMappings();
            if (line->starts_with('#'))
                takeGoLine(*line, records);
            else
                ++records;
            if (isTooMuch()) return true;
        }
        at_ = 0;
        while (const auto line = next()) {
            if (isOfMappings(*line)) break;
            if (line->starts_with("--- ") && !line->starts_with(kSymbols)) section_ = trimmed(line->substr(4));
            if (line->starts_with(kOfGperftools) && !takeHeader(*line)) return false;
            if (line->starts_with(kOfJemalloc)) takeRate(line->substr(kOfJemalloc.size()));
            takeLine(*line);
            if (isTooMuch()) break;
        }
        return hasHeader_;
    }
    /// Whether the data kept exceeds the limits.
    [[nodiscard]] bool isTooMuch() const {
        constexpr std::size_t kBytesOfEntry = 80; // per table entry, including the lookup
        const auto entries = mappings_.size() + names_.size() + frames_.size();
        return source::isTooMuch(profile_, entries * kBytesOfEntry + namesBytes() + sums_.bytes());
    }
    /// The profile of the file called `name`.
    [[nodiscard]] Profile take(std::string_view name) {
        profile_.tool = isOfJemalloc_ ? "jemalloc" : isOfGo_ ? "Go" : "gperftools";
        if (rate_ > 1) profile_.notes.emplace_back("The profile contains samples, so its numbers are estimates.");
        if (isOfJemalloc_) profile_.notes.emplace_back("Sizes are jemalloc's size classes, not the requested sizes.");
        if (!note_.empty()) profile_.notes.emplace_back(note_);
        if (names_.empty() && !isOfGo_) profile_.notes.push_back(namesHint(name));
        const auto end = endOfFile();
        if (end == End::WithoutModules) {
            profile_.notes.push_back(fmt::format(
                "{} has all of its stacks but no list of modules, so frames are addresses. The program could not "
                "write the list, or the file was cut off after the stacks.",
                name));
        }
        if (end == End::Cut) profile_.remarks.push_back(fmt::format("{} is cut off; the rest is missing.", name));
        if (damaged_ > 0) {
            profile_.remarks.push_back(skippedText(damaged_, "damaged part", name));
        }
        sums_.finish({.allocated = hasAllocatedAmounts()}, name);
        return std::move(profile_);
    }
    /// Describes a file that is not a heap profile, by its first line or by the section after the symbols.
    [[nodiscard]] std::string otherKind() const {
        if (!kind_.empty())
            return fmt::format("a text profile with the kind \"{}\"", startOfText(kind_, kMostKindBytes));
        if (!section_.empty())
            return fmt::format("a profile with symbols and the kind \"{}\"", startOfText(section_, kMostKindBytes));
        return text_.starts_with(kSymbols) ? "a list of symbols without a profile"
                                           : "a text profile of an unknown kind";
    }

  private:
    struct Mapping {
        Address last = 0;
        std::string_view path;
    };
    /// The innermost inlined function comes first.
    struct Names {
        std::vector<NamedFunction> functions;
        std::size_t record = 0; ///< the record that lists them first; later ones repeat them
    };
    enum class End : std::uint8_t { Whole, WithoutModules, Cut };

    [[nodiscard]] std::size_t namesBytes() const {
        return 2 * (names_.size() * sizeof(Names) + functions_ * sizeof(NamedFunction));
    }

    /// The file is cut off if its stacks have less than the total in the file, or its end is missing. Where jemalloc
    /// computes its numbers from unbiased ones, stacks do not add up to the total.
    [[nodiscard]] End endOfFile() const {
        if (!text_.ends_with('\n')) return End::Cut;
        const bool sumUp = !isOfJemalloc_ || rate_ <= 1;
        if (sumUp && sum_.usedBytes < said_.usedBytes) return End::Cut;
        if (isOfGo_) return hasGoStatistics_ || sum_ == said_ ? End::Whole : End::Cut;
        if (hasMappings_ || !names_.empty()) return End::Whole; // in files with names nothing follows them
        return sum_ == said_ ? End::WithoutModules : End::Cut;
    }
    /// jemalloc writes 0 unless it accumulates; tcmalloc repeats the amounts in use if it takes samples.
    [[nodiscard]] bool hasAllocatedAmounts() const {
        if (sum_.allocatedBytes == 0) return sum_.usedBytes == 0;
        return isOfJemalloc_ || isOfGo_ || rate_ <= 1 || sum_.allocatedBytes != sum_.usedBytes;
    }
    [[nodiscard]] std::string namesHint(std::string_view name) const {
        const auto* command = isOfJemalloc_ ? "(jeprof --raw PROGRAM FILE; cat FILE) > NEW"
                                            : "go tool pprof -proto PROGRAM FILE > NEW.pb.gz";
        return fmt::format("Functions in {} have no names. {} creates a file with names.", name, command);
    }

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
            if (address && !name.empty()) names_[*address].functions = {{profile_.names.idOf(name), 0, 0}};
        }
    }

    /// "#	0x47cbc5	main.leak+0x25	/src/leak.go:12", after the stack that contains the address. The address
    /// is that of the call; inlined functions have the same one.
    void takeGoLine(std::string_view line, std::size_t record) {
        if (line.starts_with("# runtime.MemStats")) hasGoStatistics_ = true;
        std::array<std::string_view, 4> fields;
        std::size_t count = 0;
        for (auto rest = line; count < fields.size() && !rest.empty();) {
            const auto tab = std::min(rest.find('\t'), rest.size());
            if (const auto field = trimmed(rest.substr(0, tab)); !field.empty()) fields[count++] = field;
            rest.remove_prefix(std::min(tab + 1, rest.size()));
        }
        if (count < 3 || fields[0] != "#" || !fields[1].starts_with("0x")) return;
        auto rest = fields[1].substr(2);
        const auto address = takeNumber(rest, 16);
        const auto colon = fields[3].rfind(':');
        if (!address || colon == std::string_view::npos) return;
        rest = fields[3].substr(colon);
        const auto lineNumber = takeNumber(rest).value_or(0);
        const auto name = fields[2].substr(0, fields[2].rfind("+0x"));
        auto& names = names_[*address];
        if (names.functions.empty()) names.record = record;
        if (names.record != record || names.functions.size() >= kMostInlined) return;
        ++functions_;
        names.functions.push_back({profile_.names.idOf(name), profile_.names.idOf(fields[3].substr(0, colon)),
                                   lineNumber < kMostLine ? static_cast<std::uint32_t>(lineNumber) : 0});
    }

    static bool isOfMappings(std::string_view line) {
        return line.starts_with(kMappings) || line.starts_with("--- Memory map:");
    }

    /// In the format of /proc/PID/maps, or "0x40000-0x80000 /path/to/binary (@FF00) abc123456".
    void readMappings() {
        hasMappings_ = true;
        while (const auto line = isTooMuch() ? std::nullopt : next()) {
            auto rest = *line;
            const auto first = takeNumber(rest, 16).value_or(0);
            const auto last = takeNumber(rest, 16).value_or(0);
            const bool isBrief = rest.starts_with(':'); // "00400000-00fcb000: app"
            const auto path = isBrief ? rest.find_first_not_of(": ") : rest.find('/');
            if (path == std::string_view::npos || last <= first || rest[path] == '[') continue;
            rest.remove_prefix(path);
            rest = rest.substr(0, rest.find(" (@"));
            mappings_[first] = {last - 1, rest};
            if (profile_.commandLine.empty()) profile_.commandLine = rest;
        }
    }

    /// "heap profile: 1: 2 [3: 4] @ heapprofile", or "@ heap_v2/524288".
    bool takeHeader(std::string_view line) {
        const auto at = std::min(line.find('@'), line.size());
        said_ = takeAmounts(line.substr(kOfGperftools.size(), at - kOfGperftools.size())).value_or(StackAmounts());
        kind_ = trimmed(line.substr(std::min(at + 1, line.size())));
        const auto slash = std::min(kind_.find('/'), kind_.size());
        const auto word = kind_.substr(0, slash);
        for (const auto& known : kHeapTextKinds) {
            const bool isZ = word.size() == known.name.size() + 1 && word.ends_with('z') && !known.note.empty();
            if (word.substr(0, word.size() - (isZ ? 1 : 0)) != known.name) continue;
            const auto period = rateOf(kind_.substr(slash));
            if (word.ends_with("_v2") || known.isRateDoubled) rate_ = known.isRateDoubled ? period / 2 : period;
            isOfGo_ = known.isRateDoubled && !hasMappings_; // early versions of tcmalloc list modules
            note_ = known.note;
            return hasHeader_ = true;
        }
        return hasHeader_ = false;
    }
    static std::uint64_t rateOf(std::string_view text) {
        return std::max<std::uint64_t>(takeNumber(text).value_or(1), 1);
    }
    void takeRate(std::string_view text) {
        hasHeader_ = isOfJemalloc_ = true;
        rate_ = rateOf(text);
    }

    /// "100: 1000 [200: 2000] @ 0x1 0x2", or "@ 0x1 0x2" followed by "t*: 100: 1000 [200: 2000]". "@" alone is a stack
    /// that jemalloc could not walk.
    void takeLine(std::string_view line) {
        line = trimmed(line);
        if (line.starts_with(kOfGperftools) || line.empty()) return;
        if (line.starts_with('@')) return void(stack_ = line.substr(1));
        if (line.starts_with("t*:")) {
            if (stack_) return addSample(line.substr(3), *std::exchange(stack_, std::nullopt));
            if (sum_ == StackAmounts()) said_ = takeAmounts(line.substr(3)).value_or(said_);
        }
        const auto at = line.find("] @");
        if (!isOfJemalloc_ && at != std::string_view::npos) addSample(line.substr(0, at + 1), line.substr(at + 3));
    }

    void addSample(std::string_view amountsText, std::string_view stack) {
        const auto amounts = takeAmounts(amountsText);
        if (!amounts) return void(++damaged_);
        addAmount(sum_.usedObjects, amounts->usedObjects);
        addAmount(sum_.usedBytes, amounts->usedBytes);
        addAmount(sum_.allocatedObjects, amounts->allocatedObjects);
        addAmount(sum_.allocatedBytes, amounts->allocatedBytes);
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
        auto scaled = *amounts;
        scale(scaled.usedObjects, scaled.usedBytes);
        scale(scaled.allocatedObjects, scaled.allocatedBytes);
        if (!sums_.add(sample, scaled)) ++damaged_;
    }
    /// Scales a sample by the inverse of its probability. Uses the formula of pprof, so that the results are the same.
    void scale(std::int64_t& objects, std::int64_t& bytes) const {
        if (rate_ <= 1 || objects == 0 || bytes == 0 || (objects < 0) != (bytes < 0)) return;
        const auto size = static_cast<double>(bytes) / static_cast<double>(objects);
        const auto scale = 1 / (1 - std::exp(-size / static_cast<double>(rate_)));
        constexpr double kMost = 1e18; // larger values are damaged
        objects = static_cast<std::int64_t>(std::clamp(static_cast<double>(objects) * scale, -kMost, kMost));
        bytes = static_cast<std::int64_t>(std::clamp(static_cast<double>(bytes) * scale, -kMost, kMost));
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
        if (name == names_.end()) name = names_.find(address); // the first frame may have the exact address
        if (name != names_.end())
            for (const auto& function : name->second.functions)
                profile_.addFunction(function.name, function.file, function.line);
        return entry->second;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool hasHeader_ = false, isOfJemalloc_ = false, isOfGo_ = false, hasMappings_ = false, hasGoStatistics_ = false;
    std::string_view kind_, section_; ///< as in the file
    std::string_view note_;
    StackAmounts said_, sum_;               ///< totals: from the file, and of its stacks, before scaling
    std::uint64_t rate_ = 1;                ///< average bytes between two samples; 1: not sampled
    std::optional<std::string_view> stack_; ///< the stack whose amounts follow
    std::map<Address, Mapping> mappings_;
    tsl::robin_map<Address, Names, SeededHash> names_; ///< by address of the call
    std::size_t functions_ = 0;                        ///< in names_
    tsl::robin_map<Address, std::uint32_t, SeededHash> frames_;
    Profile profile_;
    StackSums sums_{profile_};
    std::uint64_t damaged_ = 0;
};

} // namespace

bool isHeapText(std::string_view start) {
    return start.starts_with(kOfGperftools) || start.starts_with(kOfJemalloc) || start.starts_with(kSymbols);
}

Result<Profile> readHeapText(ByteSpan bytes, std::string_view name) {
    HeapTextReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const bool isOne = reader.read();
    if (reader.isTooMuch()) return tooManyStacks(name);
    if (!isOne) {
        return Error{
            ErrorKind::Unsupported,
            fmt::format("{} is {}, which Highwater does not read. If it is a heap profile, go tool pprof -proto "
                        "PROGRAM FILE > NEW.pb.gz may create a file that Highwater reads.",
                        name, reader.otherKind())};
    }
    auto profile = reader.take(name);
    if (isTooMuch(profile)) return tooManyStacks(name);
    return profile;
}

} // namespace highwater::source
