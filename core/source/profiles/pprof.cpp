#include "core/source/profiles/pprof.h"

#include "core/base/seeded_hash.h"
#include "core/source/profiles/sample_types.h"
#include "core/source/profiles/stack_sums.h"

#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <utility>

namespace highwater::source {
namespace {

using protozero::data_view;
using protozero::pbf_reader;

// profile.proto
namespace of_profile {
constexpr protozero::pbf_tag_type kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5,
                                  kStringTable = 6, kTime = 9, kDuration = 10, kPeriodType = 11, kPeriod = 12,
                                  kComment = 13, kDefaultType = 14, kLastField = 15;
}

constexpr std::size_t kMostFramesOfSample = 4096;
constexpr std::size_t kMostTypesBytes = 200; ///< length of the list of value types in a sentence

std::string_view viewOf(const data_view& data) { return {data.data(), data.size()}; }

/// A field with an unexpected wire type counts as unknown.
constexpr std::uint32_t varintField(protozero::pbf_tag_type tag) {
    return protozero::tag_and_type(tag, protozero::pbf_wire_type::varint);
}
constexpr std::uint32_t bytesField(protozero::pbf_tag_type tag) {
    return protozero::tag_and_type(tag, protozero::pbf_wire_type::length_delimited);
}

/// Reads the numbers in a message by field; skips everything else.
void takeNumbers(pbf_reader message,
                 std::initializer_list<std::pair<protozero::pbf_tag_type, std::uint64_t*>> numbers) {
    while (message.next()) {
        const auto* found = std::ranges::find_if(
            numbers, [&](const auto& number) { return message.tag_and_type() == varintField(number.first); });
        found != numbers.end() ? void(*found->second = message.get_uint64()) : message.skip();
    }
}

class PprofReader {
  public:
    explicit PprofReader(std::string_view bytes) : bytes_(bytes) {}

    /// Keeps the data before a damaged part.
    void read() {
        untilDamage([this] { readTables(); });
        if (isTooMuch() || areSeveral_) return;
        for (const auto& [type, unit] : sampleTypes_)
            types_.add(text(type), text(unit));
        if (!types_.haveBytes()) return;
        if (isOfAllocations() || isHeapDump()) types_.swapUsedAndAllocated();
        profile_.commandLine = text(firstMapping_);
        untilDamage([this] {
            for (pbf_reader profile(bytes_.data(), bytes_.size()); !isTooMuch() && profile.next();)
                profile.tag_and_type() == bytesField(of_profile::kSample) ? addSample(profile.get_message())
                                                                          : profile.skip();
        });
    }
    [[nodiscard]] const SampleTypes& types() const { return types_; }
    /// The profile of the file called `name`.
    [[nodiscard]] Profile take(std::string_view name) {
        profile_.tool = "pprof";
        sums_.finish(types_.known(), name);
        return std::move(profile_);
    }
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    [[nodiscard]] bool isCut() const { return isCut_; }
    /// The file contains concatenated profiles, whose numbers are independent.
    [[nodiscard]] bool areSeveral() const { return areSeveral_; }
    /// Whether the data kept exceeds the limits.
    [[nodiscard]] bool isTooMuch() const {
        constexpr std::size_t kBytesOfEntry = 64; // per table entry, including the lookup
        const auto entries = mappings_.size() + functions_.size() + locations_.size() + sampleTypes_.size();
        const auto bytes = entries * kBytesOfEntry + strings_.size() * sizeof(std::string_view) + sums_.bytes();
        return source::isTooMuch(profile_, bytes);
    }

  private:
    struct Function {
        std::uint64_t name = 0, systemName = 0, file = 0;
    };
    template <typename Value>
    using ById = tsl::robin_map<std::uint64_t, Value, SeededHash>;

    template <typename Read>
    void untilDamage(Read read) {
        try {
            read();
        } catch (const protozero::exception&) {
            isCut_ = true;
        }
    }

    void readTables() {
        for (pbf_reader profile(bytes_.data(), bytes_.size()); !isTooMuch() && profile.next();) {
            switch (profile.tag_and_type()) {
            case bytesField(of_profile::kSampleType):
                addSampleType(profile.get_message());
                break;
            case bytesField(of_profile::kMapping):
                addMapping(profile.get_message());
                break;
            case bytesField(of_profile::kLocation):
                addLocation(profile.get_view());
                break;
            case bytesField(of_profile::kFunction):
                addFunction(profile.get_message());
                break;
            case varintField(of_profile::kTime):
            case varintField(of_profile::kPeriod):
                takeOnce(profile);
                break;
            case varintField(of_profile::kDuration):
                hasDuration_ = takeOnce(profile) > 0;
                break;
            case varintField(of_profile::kDefaultType):
                defaultType_ = profile.get_uint64();
                break;
            case bytesField(of_profile::kStringTable):
                strings_.push_back(viewOf(profile.get_view()));
                break;
            default:
                profile.skip();
            }
        }
    }

    /// Reads a field that occurs once per profile; a repetition means concatenated profiles.
    std::int64_t takeOnce(pbf_reader& profile) {
        const auto bit = std::uint32_t{1} << profile.tag();
        const auto value = profile.get_int64();
        if (value == 0) return value;
        areSeveral_ |= (taken_ & bit) != 0;
        taken_ |= bit;
        return value;
    }
    void addSampleType(pbf_reader message) {
        std::uint64_t type = 0, unit = 0;
        takeNumbers(message, {{1, &type}, {2, &unit}});
        sampleTypes_.emplace_back(type, unit);
    }

    /// Allocations that tcmalloc recorded for some time have the type names of memory in use, but the default type is
    /// objects.
    [[nodiscard]] bool isOfAllocations() {
        return hasDuration_ && types_.list() == "objects, space" && text(defaultType_) == "objects";
    }
    /// In a heap dump, Perfetto calls the objects "Total allocation size", and marks roots: "App [ROOT_JAVA_FRAME]".
    [[nodiscard]] bool isHeapDump() const {
        return types_.list() == "Total allocation count, Total allocation size" &&
               std::any_of(strings_.begin(), strings_.end(), [](std::string_view text) {
                   return text.ends_with(']') && text.find(" [ROOT_") != std::string_view::npos;
               });
    }

    void addMapping(pbf_reader message) {
        std::uint64_t id = 0, file = 0;
        takeNumbers(message, {{1, &id}, {5, &file}});
        mappings_[id] = file;
        if (mappings_.size() == 1) firstMapping_ = file;
    }
    void addLocation(const data_view& location) {
        std::uint64_t id = 0;
        takeNumbers(pbf_reader(location), {{1, &id}});
        locations_[id] = {viewOf(location), kNotMade};
    }
    void addFunction(pbf_reader message) {
        std::uint64_t id = 0;
        Function function;
        takeNumbers(message, {{1, &id}, {2, &function.name}, {3, &function.systemName}, {4, &function.file}});
        functions_[id] = function;
    }

    [[nodiscard]] std::string_view text(std::uint64_t index) {
        if (index < strings_.size()) return strings_[static_cast<std::size_t>(index)];
        ++damaged_;
        return {};
    }

    /// Converts a text to a name; each text is read once, however often it is referenced.
    [[nodiscard]] NameId nameOf(std::uint64_t index) {
        if (names_.size() != strings_.size()) names_.resize(strings_.size(), kNotMade);
        if (index >= names_.size()) return profile_.names.idOf(text(index));
        auto& name = names_[static_cast<std::size_t>(index)];
        if (name == kNotMade) name = profile_.names.idOf(text(index));
        return name;
    }

    /// Different locations may have the same address or none; then their numbers distinguish them.
    std::optional<std::uint32_t> frameOf(std::uint64_t id) {
        auto found = locations_.find(id);
        if (found == locations_.end()) return std::nullopt;
        if (found->second.frame != kNotMade) return found->second.frame;
        const auto number = profile_.addFrame(0, 0);
        found.value().frame = number;
        std::uint64_t mapping = 0;
        for (pbf_reader message(found->second.bytes.data(), found->second.bytes.size()); message.next();) {
            switch (message.tag_and_type()) {
            case varintField(2):
                mapping = message.get_uint64();
                break;
            case varintField(3):
                profile_.frames[number].address = message.get_uint64();
                break;
            case bytesField(4):
                addLine(message.get_message());
                break;
            default:
                message.skip();
            }
        }
        auto& frame = profile_.frames[number];
        if (const auto file = mappings_.find(mapping); file != mappings_.end()) frame.module = nameOf(file->second);
        if (frame.module == 0 && frame.functions > 0) frame.module = nameOf(firstMapping_);
        const bool isNamed = frame.functions > 0; // the name is at the preceding byte
        if (frame.address == 0 || (isNamed && !byAddress_.insert(frame.address).second)) frame.address = id;
        frame.address += isNamed ? 1 : 0;
        return number;
    }
    void addLine(pbf_reader message) {
        std::uint64_t function = 0, line = 0;
        takeNumbers(message, {{1, &function}, {2, &line}});
        const auto known = functions_.find(function);
        if (known == functions_.end()) return void(++damaged_);
        auto name = nameOf(known->second.name);
        if (name == 0) name = nameOf(known->second.systemName);
        const auto number =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(line), 0, std::numeric_limits<std::uint32_t>::max());
        profile_.addFunction(name, nameOf(known->second.file), static_cast<std::uint32_t>(number));
    }

    void addSample(pbf_reader message) {
        ids_.clear();
        numbers_.clear();
        while (message.next()) {
            switch (message.tag_and_type()) {
            case protozero::tag_and_type(1, protozero::pbf_wire_type::length_delimited):
                for (const auto id : message.get_packed_uint64())
                    ids_.push_back(id);
                break;
            case protozero::tag_and_type(1, protozero::pbf_wire_type::varint):
                ids_.push_back(message.get_uint64());
                break;
            case protozero::tag_and_type(2, protozero::pbf_wire_type::length_delimited):
                for (const auto number : message.get_packed_int64())
                    numbers_.push_back(number);
                break;
            case protozero::tag_and_type(2, protozero::pbf_wire_type::varint):
                numbers_.push_back(message.get_int64());
                break;
            default:
                message.skip();
            }
        }
        keepSample();
    }

    void keepSample() {
        if (numbers_.size() != types_.size()) return void(++damaged_);
        const auto amounts = types_.amountsOf(numbers_);
        if (amounts && *amounts == StackAmounts()) return; // values of another type only
        const auto firstFrame = profile_.stackFrames.size();
        Profile::Sample sample;
        sample.firstFrame = static_cast<std::uint32_t>(firstFrame);
        for (const auto id : ids_) {
            if (sample.frames == kMostFramesOfSample) break;
            const auto frame = frameOf(id);
            if (!frame) {
                ++damaged_;
                continue;
            }
            profile_.stackFrames.push_back(*frame);
            ++sample.frames;
        }
        if (!amounts || !sums_.add(sample, *amounts)) {
            ++damaged_;
            profile_.stackFrames.resize(firstFrame);
        }
    }

    static constexpr std::uint32_t kNotMade = 0xFFFFFFFFu;
    struct Location {
        std::string_view bytes;
        std::uint32_t frame = kNotMade; ///< index in profile_.frames
    };

    std::string_view bytes_;
    std::vector<std::string_view> strings_;
    std::vector<NameId> names_; ///< names of strings_; kNotMade: not referenced yet
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sampleTypes_; ///< string indices: type, unit
    SampleTypes types_;
    bool hasDuration_ = false, isCut_ = false, areSeveral_ = false;
    std::uint32_t taken_ = 0;       ///< bit set of fields
    std::uint64_t defaultType_ = 0; ///< a string
    ById<std::uint64_t> mappings_;  ///< file names
    std::uint64_t firstMapping_ = 0;
    ById<Function> functions_;
    ById<Location> locations_;
    tsl::robin_set<Address, SeededHash> byAddress_; ///< addresses of frames with names
    std::vector<std::uint64_t> ids_;
    std::vector<std::int64_t> numbers_;
    Profile profile_;
    StackSums sums_{profile_};
    std::uint64_t damaged_ = 0;
};

bool isValueType(pbf_reader type) {
    bool isEmpty = true;
    for (; type.next(); type.skip()) {
        if (type.tag() > 2 || type.wire_type() != protozero::pbf_wire_type::varint) return false;
        isEmpty = false;
    }
    return !isEmpty;
}

/// Whether the field is known and has the expected wire type.
bool isKnownField(const pbf_reader& profile) {
    const auto tag = profile.tag();
    const bool isMessage = tag <= of_profile::kStringTable || tag == of_profile::kPeriodType;
    const bool isBytes = profile.wire_type() == protozero::pbf_wire_type::length_delimited;
    const bool isNumber = profile.wire_type() == protozero::pbf_wire_type::varint;
    if (tag == of_profile::kComment) return isBytes || isNumber; // packed, or one after the other
    return tag <= of_profile::kLastField && (isMessage ? isBytes : isNumber);
}

} // namespace

/// The types of the values identify a profile, whatever precedes them; Go's runtime writes the period first.
bool isPprof(ByteSpan bytes) {
    constexpr int kMostFieldsBefore = 256;
    try {
        pbf_reader profile(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        for (int fields = 0; fields < kMostFieldsBefore && profile.next(); ++fields) {
            if (profile.tag_and_type() == bytesField(of_profile::kSampleType))
                return isValueType(profile.get_message());
            if (!isKnownField(profile)) return false;
            if (profile.tag() != of_profile::kPeriodType)
                profile.skip();
            else if (!isValueType(profile.get_message()))
                return false;
        }
        return false;
    } catch (const protozero::exception&) {
        return false;
    }
}

Result<Profile> readPprof(ByteSpan bytes, std::string_view name) {
    PprofReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    reader.read();
    if (reader.isTooMuch()) return tooManyStacks(name);
    if (reader.areSeveral()) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} contains several profiles, and Highwater reads one per file. If they still exist "
                                 "as separate files, go tool pprof -proto FILE1 FILE2 > NEW.pb.gz adds them up.",
                                 name)};
    }
    const auto& types = reader.types();
    if (!types.haveBytes()) {
        if (reader.isCut())
            return Error{ErrorKind::Damaged,
                         fmt::format("{} is cut off or damaged and contains no allocations.", name)};
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is {}. Its sample types are: {}.", name, types.otherKind(), types.list())};
    }
    auto profile = reader.take(name);
    if (isTooMuch(profile)) return tooManyStacks(name);
    if (reader.isCut()) profile.remarks.push_back(fmt::format("{} is cut off or damaged; the rest is missing.", name));
    if (reader.damaged() > 0) {
        profile.remarks.push_back(skippedText(reader.damaged(), "damaged part", name));
    }
    if (const auto others = types.listOfOthers(); !others.empty())
        profile.notes.push_back(fmt::format("Sample types of {} that are not shown: {}.", name, others));
    return profile;
}

} // namespace highwater::source
