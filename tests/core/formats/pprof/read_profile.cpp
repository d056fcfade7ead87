#include "tests/core/formats/pprof/read_profile.h"

#include <zlib.h>

#include "profile.pb.h"

#include <array>
#include <set>

namespace highwater::tests {
namespace {

/// "": the bytes are not one whole gzip stream.
std::string unpacked(const std::string& bytes) {
    z_stream zlib{};
    if (::inflateInit2(&zlib, 15 + 16) != Z_OK) return {};
    std::string text;
    std::array<char, 65536> part{};
    zlib.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    zlib.avail_in = static_cast<uInt>(bytes.size());
    int state = Z_OK;
    while (state == Z_OK) {
        zlib.next_out = reinterpret_cast<Bytef*>(part.data());
        zlib.avail_out = static_cast<uInt>(part.size());
        state = ::inflate(&zlib, Z_NO_FLUSH);
        text.append(part.data(), part.size() - zlib.avail_out);
    }
    const bool isWhole = state == Z_STREAM_END && zlib.avail_in == 0;
    ::inflateEnd(&zlib);
    return isWhole ? text : std::string();
}

class ProfileReader {
  public:
    explicit ProfileReader(const pprof::Profile& profile) : from_(profile) {}

    ReadProfile read() {
        if (from_.string_table_size() == 0 || !from_.string_table(0).empty()) complain("the first text is not empty");
        std::set<std::string> texts(from_.string_table().begin(), from_.string_table().end());
        if (static_cast<int>(texts.size()) != from_.string_table_size()) complain("a text is there twice");
        for (const auto& type : from_.sample_type())
            to_.types.push_back(text(type.type()) + "/" + text(type.unit()));
        to_.defaultType = text(from_.default_sample_type());
        for (const auto comment : from_.comment())
            to_.comments.push_back(text(comment));
        to_.timeNanos = from_.time_nanos();
        to_.durationNanos = from_.duration_nanos();
        to_.period = from_.period();
        readMappings();
        readFunctions();
        readLocations();
        for (const auto& sample : from_.sample())
            readSample(sample);
        return to_;
    }

  private:
    void complain(const std::string& what) {
        if (to_.problem.empty()) to_.problem = what;
    }
    std::string text(std::int64_t number) {
        if (number >= 0 && number < from_.string_table_size()) return from_.string_table(static_cast<int>(number));
        complain("no such text");
        return {};
    }
    void readMappings() {
        for (const auto& mapping : from_.mapping()) {
            ReadProfile::Mapping read{mapping.memory_start(),   mapping.memory_limit(),  text(mapping.filename()),
                                      text(mapping.build_id()), mapping.has_functions(), mapping.has_inline_frames()};
            if (mapping.id() == 0 || !mappings_.try_emplace(mapping.id(), read).second) complain("id of a mapping");
            if (mapping.memory_limit() < mapping.memory_start()) complain("a mapping ends before its start");
            to_.mappings.push_back(read);
        }
    }
    void readFunctions() {
        for (const auto& function : from_.function()) {
            const ReadProfile::Line line{text(function.name()), text(function.system_name()), text(function.filename()),
                                         0};
            if (function.id() == 0 || !functions_.try_emplace(function.id(), line).second) complain("id of a function");
        }
    }
    void readLocations() {
        for (const auto& location : from_.location()) {
            ReadProfile::Location read{location.address(), {}, {}, location.is_folded()};
            if (location.mapping_id() != 0) {
                const auto mapping = mappings_.find(location.mapping_id());
                if (mapping == mappings_.end()) {
                    complain("no such mapping");
                } else {
                    read.mapping = mapping->second.file;
                    const bool isInside =
                        location.address() >= mapping->second.start && location.address() < mapping->second.limit;
                    if (!isInside) complain("a location outside of its mapping");
                }
            }
            for (const auto& line : location.line()) {
                const auto function = functions_.find(line.function_id());
                if (function == functions_.end())
                    complain("no such function");
                else
                    read.lines.push_back(function->second);
                if (!read.lines.empty()) read.lines.back().line = line.line();
            }
            if (location.id() == 0 || !locations_.try_emplace(location.id(), read).second) complain("id of a location");
        }
    }
    void readSample(const pprof::Sample& sample) {
        ReadProfile::Sample read;
        for (const auto id : sample.location_id()) {
            const auto location = locations_.find(id);
            if (location == locations_.end())
                complain("no such location");
            else
                read.stack.push_back(location->second);
        }
        if (sample.value_size() != from_.sample_type_size()) return complain("a sample without all values");
        for (int i = 0; i < sample.value_size(); ++i)
            read.values[text(from_.sample_type(i).type())] = sample.value(i);
        for (const auto& label : sample.label()) {
            if (!read.labels.try_emplace(text(label.key()), text(label.str())).second) complain("a label twice");
        }
        to_.samples.push_back(std::move(read));
    }

    const pprof::Profile& from_;
    ReadProfile to_;
    std::map<std::uint64_t, ReadProfile::Mapping> mappings_;
    std::map<std::uint64_t, ReadProfile::Line> functions_;
    std::map<std::uint64_t, ReadProfile::Location> locations_;
};

} // namespace

std::string ReadProfile::Sample::path() const {
    std::string path;
    for (auto location = stack.rbegin(); location != stack.rend(); ++location) {
        for (auto line = location->lines.rbegin(); line != location->lines.rend(); ++line)
            path += (path.empty() ? "" : ";") + line->function;
    }
    return path;
}

std::int64_t ReadProfile::sum(const std::string& type) const {
    std::uint64_t sum = 0;
    for (const auto& sample : samples)
        sum += static_cast<std::uint64_t>(sample.values.at(type));
    return static_cast<std::int64_t>(sum);
}

ReadProfile readProfile(const std::string& bytes) {
    ReadProfile failed;
    const auto text = unpacked(bytes);
    pprof::Profile profile;
    if (text.empty())
        failed.problem = "no whole gzip stream";
    else if (!profile.ParseFromString(text))
        failed.problem = "no profile";
    return failed.problem.empty() ? ProfileReader(profile).read() : failed;
}

} // namespace highwater::tests
