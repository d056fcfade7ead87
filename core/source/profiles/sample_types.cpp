#include "core/source/profiles/sample_types.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::source {
namespace {

constexpr std::string_view kNewTlab = "alloc_in_new_tlab_", kOutsideTlab = "alloc_outside_tlab_";

/// Tools use shorter names of types and units. The limit matters because a file may refer to a text of megabytes any
/// number of times.
constexpr std::size_t kMostWordBytes = 256;

/// Normalizes the spelling, so that "inuse-space" equals "inuse_space". Empty: too long.
std::string spelledAlike(std::string_view type) {
    if (type.size() > kMostWordBytes) return {};
    auto name = lowered(type);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
    return name;
}

/// As in pprof, a kilobyte has 1024 bytes.
std::int64_t factorOf(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, int>, 20> kUnits{
        {{"kb", 10}, {"kib", 10}, {"kbyte", 10}, {"kilobyte", 10}, {"kibibyte", 10},
         {"mb", 20}, {"mib", 20}, {"mbyte", 20}, {"megabyte", 20}, {"mebibyte", 20},
         {"gb", 30}, {"gib", 30}, {"gbyte", 30}, {"gigabyte", 30}, {"gibibyte", 30},
         {"tb", 40}, {"tib", 40}, {"tbyte", 40}, {"terabyte", 40}, {"tebibyte", 40}}};
    if (unit.size() > kMostWordBytes) return 1;
    auto name = lowered(unit);
    if (name.size() > 2 && name.ends_with('s')) name.pop_back();
    for (const auto& [known, shift] : kUnits)
        if (name == known) return std::int64_t{1} << shift;
    return 1;
}

bool isOfBytes(std::string_view unit) {
    const auto name = spelledAlike(unit);
    return name == "b" || name == "byte" || name == "bytes" || factorOf(unit) > 1;
}

std::string listed(const std::vector<std::string_view>& types) {
    constexpr std::size_t kMostListed = 24, kMostTypeBytes = 80;
    std::string text;
    for (std::size_t i = 0; i < std::min(types.size(), kMostListed); ++i)
        text += (i == 0 ? "" : ", ") + std::string(startOfText(types[i], kMostTypeBytes));
    if (types.size() > kMostListed) text += fmt::format(" and {} more", thousands(types.size() - kMostListed));
    return text;
}

} // namespace

std::optional<SampleTypes::Amount> SampleTypes::amountOf(std::string_view type) {
    struct Known {
        std::string_view type;
        Amount amount;
    };
    constexpr std::array kKnown{
        Known{"inuse_space", kUsedBytes},                 // Go, gperftools, Parca, ddprof, jemalloc_pprof
        Known{"inuse_objects", kUsedObjects},             //
        Known{"space", kUsedBytes},                       // V8, tcmalloc, pprof of gperftools without allocations, JAX
        Known{"objects", kUsedObjects},                   //
        Known{"inuse_bytes", kUsedBytes},                 //
        Known{"heap_space", kUsedBytes},                  // Datadog: Python
        Known{"heap_live_size", kUsedBytes},              // Datadog: Ruby, Java
        Known{"heap_live_samples", kUsedObjects},         //
        Known{"unreleased_size", kUsedBytes},             // Perfetto
        Known{"unreleased_count", kUsedObjects},          //
        Known{"alloc_space", kAllocatedBytes},            // Go, gperftools, ddprof
        Known{"alloc_objects", kAllocatedObjects},        //
        Known{"alloc_bytes", kAllocatedBytes},            //
        Known{"alloc_size", kAllocatedBytes},             // Datadog: PHP, .NET
        Known{"alloc_samples", kAllocatedObjects},        // Datadog
        Known{"total_size", kAllocatedBytes},             // Perfetto
        Known{"total_count", kAllocatedObjects},          //
        Known{"alloc_sample_bytes", kAllocatedBytes},     // Java recordings, by Pyroscope
        Known{"alloc_sample_objects", kAllocatedObjects}, //
        Known{"malloc_bytes", kAllocatedBytes},           //
        Known{"malloc_objects", kAllocatedObjects},       //
        Known{"allocations", kAnyObjects},                // JAX: of those in use
    };
    const auto name = spelledAlike(type);
    for (const auto& known : kKnown)
        if (name == known.type) return known.amount;
    const std::string_view text = name;
    if (text.starts_with(kNewTlab) || text.starts_with(kOutsideTlab)) {
        if (text.ends_with("_bytes")) return kAllocatedBytes;
        if (text.ends_with("_objects")) return kAllocatedObjects;
    }
    // Perfetto inserts the name of the heap: "Unreleased malloc size".
    const bool isUsed = text.starts_with("unreleased_");
    if (!isUsed && !text.starts_with("total_")) return std::nullopt;
    if (text.ends_with("_size")) return isUsed ? kUsedBytes : kAllocatedBytes;
    if (text.ends_with("_count")) return isUsed ? kUsedObjects : kAllocatedObjects;
    return std::nullopt;
}

/// If two types have the same meaning, the first one counts. Java's allocations inside and outside of thread buffers
/// are different types.
void SampleTypes::add(std::string_view type, std::string_view unit) {
    const Place place{types_.size(), factorOf(unit)};
    types_.push_back(type);
    auto amount = amountOf(type);
    const auto name = spelledAlike(type);
    if ((name == "allocations" || name == "malloc") && isOfBytes(unit)) amount = kAllocatedBytes; // async-profiler
    if (!amount) return;
    const auto isOfTlab = [](std::string_view text) { return spelledAlike(text).find("_tlab_") != std::string::npos; };
    auto& places = places_[*amount];
    if (places.empty() || (isOfTlab(type) && isOfTlab(types_[places.front().value]))) places.push_back(place);
}

void SampleTypes::swapUsedAndAllocated() {
    std::swap(places_[kUsedObjects], places_[kAllocatedObjects]);
    std::swap(places_[kUsedBytes], places_[kAllocatedBytes]);
}

/// Objects whose bytes are not known are not shown.
const std::vector<SampleTypes::Place>& SampleTypes::places(Amount amount) const {
    static const std::vector<Place> kNone;
    const bool hasUsed = !places_[kUsedBytes].empty(), hasAllocated = !places_[kAllocatedBytes].empty();
    const auto orAny = [&](bool isAny) -> const auto& { return places_[isAny ? kAnyObjects : amount]; };
    if (amount == kUsedObjects) return hasUsed ? orAny(places_[amount].empty() && !hasAllocated) : kNone;
    if (amount == kAllocatedObjects) return hasAllocated ? orAny(places_[amount].empty()) : kNone;
    return places_[amount];
}

KnownAmounts SampleTypes::known() const {
    KnownAmounts known{!places(kUsedBytes).empty(), !places(kAllocatedBytes).empty(), true};
    known.objects =
        (!known.used || !places(kUsedObjects).empty()) && (!known.allocated || !places(kAllocatedObjects).empty());
    return known;
}

std::optional<StackAmounts> SampleTypes::amountsOf(std::span<const std::int64_t> values) const {
    bool fits = true;
    const auto sumOf = [&](Amount amount) {
        std::int64_t sum = 0;
        for (const auto& [value, factor] : places(amount)) {
            std::int64_t product = 0;
            fits = fits && !__builtin_mul_overflow(values[value], factor, &product) &&
                   !__builtin_add_overflow(sum, product, &sum);
        }
        return sum;
    };
    const StackAmounts amounts{sumOf(kUsedObjects), sumOf(kUsedBytes), sumOf(kAllocatedObjects),
                               sumOf(kAllocatedBytes)};
    return fits ? std::optional(amounts) : std::nullopt;
}

std::string_view SampleTypes::otherKind() const {
    struct Kind {
        std::string_view type, text;
    };
    constexpr std::array kKinds{
        Kind{"cpu", "a pprof CPU profile, not a heap profile"},
        Kind{"itimer", "a pprof CPU profile, not a heap profile"},
        Kind{"wall", "a pprof wall-clock profile, not a heap profile"},
        Kind{"contentions", "a pprof contention profile (locks, channels), not a heap profile"},
        Kind{"delay", "a pprof contention profile (locks, channels), not a heap profile"},
        Kind{"lock", "a pprof lock profile, not a heap profile"},
        Kind{"mutex", "a pprof lock profile, not a heap profile"},
        Kind{"goroutine", "a pprof goroutine profile, not a heap profile"},
        Kind{"threadcreate", "a pprof thread creation profile, not a heap profile"},
        Kind{"exception", "a pprof exception profile, not a heap profile"},
        Kind{"deallocated", "a tcmalloc allocation lifetime profile, which does not show memory in use"},
    };
    const bool countsObjects = std::any_of(places_.begin(), places_.end(), [](const auto& p) { return !p.empty(); }) ||
                               std::find(types_.begin(), types_.end(), "live") != types_.end();
    if (countsObjects) return "a pprof profile that counts objects but not bytes";
    for (const auto& kind : kKinds)
        for (const auto& type : types_)
            if (spelledAlike(type.substr(0, kind.type.size())) == kind.type) return kind.text;
    return "a pprof profile, but not a heap profile";
}

std::string SampleTypes::list() const { return listed(types_); }

std::string SampleTypes::listOfOthers() const {
    std::vector<bool> isShown(types_.size());
    for (const auto amount : {kUsedObjects, kUsedBytes, kAllocatedObjects, kAllocatedBytes})
        for (const auto& place : places(amount))
            isShown[place.value] = true;
    std::vector<std::string_view> others;
    for (std::size_t i = 0; i < types_.size(); ++i)
        if (!isShown[i]) others.push_back(types_[i]);
    return listed(others);
}

} // namespace highwater::source
