#include "core/source/profiles/dhat.h"

#include "core/base/text.h"
#include "core/source/profiles/json_tokens.h"
#include "core/source/profiles/valgrind_frame.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace highwater::source {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kVersion = 2;
constexpr std::size_t kDeepest = 8; ///< such a file has 4 levels

/// One program point.
struct Point {
    std::uint64_t allBytes = 0, allBlocks = 0, endBytes = 0, endBlocks = 0;
    std::size_t firstFrame = 0, frames = 0;
};

/// Handles the file as a stream, in any order of keys, and keeps only the required data.
class DhatHandler final : public nlohmann::json_sax<Json> {
  public:
    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t value) override {
        const bool isOurs = levels_ == 3 || key_ == "fs"; // lists of accesses contain negative numbers of their own
        isNegative_ = isNegative_ || (isOurs && value < 0);
        return true;
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (levels_ == 1 && key_ == "dhatFileVersion") version = value;
        if (levels_ == 1 && key_ == "pid") pid = value;
        if (isInPoints_ && key_ == "fs") {
            if (value <= std::numeric_limits<std::uint32_t>::max())
                frames.push_back(static_cast<std::uint32_t>(value));
            else
                isNegative_ = true;
            return frames.size() <= kMostProfileFrames; // one point can have any number of frames
        }
        if (!isInPoints_ || levels_ != 3) return true;
        if (key_ == "tb") point_.allBytes = value;
        if (key_ == "tbk") point_.allBlocks = value;
        if (key_ == "eb") point_.endBytes = value;
        if (key_ == "ebk") point_.endBlocks = value;
        return true;
    }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
    bool string(string_t& value) override {
        if (levels_ == 1 && key_ == "mode") mode = value;
        if (levels_ == 1 && key_ == "cmd") command = value;
        if (levels_ == 2 && list_ == "ftbl") {
            addValgrindFrame(profile, value);
            return !source::isTooMuch(profile);
        }
        return true;
    }
    bool binary(binary_t& /*value*/) override { return true; }
    bool key(string_t& value) override {
        key_ = value;
        if (levels_ == 1) list_ = value;
        return true;
    }
    bool start_object(std::size_t /*elements*/) override {
        ++levels_;
        isInPoints_ = levels_ >= 3 && list_ == "pps";
        if (levels_ == 3 && isInPoints_) {
            point_ = {};
            point_.firstFrame = frames.size();
            isNegative_ = false;
        }
        return levels_ <= kDeepest;
    }
    bool end_object() override {
        if (levels_ == 3 && isInPoints_) endPoint();
        --levels_;
        isInPoints_ = levels_ >= 3 && list_ == "pps";
        return !isTooMuch();
    }
    [[nodiscard]] bool isTooMuch() const {
        return points.size() > kMostProfileSamples || frames.size() > kMostProfileFrames || source::isTooMuch(profile);
    }
    bool start_array(std::size_t /*elements*/) override { return ++levels_ <= kDeepest; }
    bool end_array() override {
        --levels_;
        if (levels_ == 3) key_.clear();
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override {
        return false;
    }

    std::uint64_t version = 0, pid = 0;
    std::string mode, command;
    std::vector<Point> points;
    std::vector<std::uint32_t> frames; ///< frames of points
    Profile profile;                   ///< contains the named frames
    std::uint64_t damaged = 0;

  private:
    void endPoint() {
        point_.frames = frames.size() - point_.firstFrame;
        const bool isRight = !isNegative_ && point_.allBytes <= kMostProfileBytes &&
                             point_.endBytes <= point_.allBytes && point_.endBlocks <= point_.allBlocks &&
                             point_.allBlocks <= kMostProfileBytes;
        isRight ? points.push_back(point_) : void(++damaged);
    }

    std::size_t levels_ = 0;
    std::string key_, list_; ///< the latest key; the latest key of the outermost object
    Point point_;
    bool isInPoints_ = false;
    bool isNegative_ = false;
};

/// The dhat crate for Rust writes the same file format with its own mode names.
constexpr std::string_view kModeOfRust = "rust-heap";
constexpr std::size_t kMostModeBytes = 40;
bool isOfHeap(std::string_view mode) { return mode == "heap" || mode == kModeOfRust; }
std::string_view modeDescription(std::string_view mode) {
    if (mode == "copy") return "counts bytes copied by memcpy and similar functions";
    if (mode == "ad-hoc" || mode == "rust-ad-hoc") return "counts events that the program reported";
    return "Highwater does not read";
}

void addPart(Profile& profile, Profile::Sample sample, std::uint64_t blocks, std::uint64_t bytes, std::int64_t end) {
    if (blocks == 0 && bytes == 0) return;
    sample.objects = blocks;
    sample.bytes = bytes;
    sample.end = end;
    profile.samples.push_back(sample);
}

void addPoints(DhatHandler& handler, Profile& profile) {
    for (const auto& point : handler.points) {
        Profile::Sample sample;
        sample.firstFrame = static_cast<std::uint32_t>(profile.stackFrames.size());
        for (std::size_t i = 0; i < point.frames; ++i) {
            const auto frame = handler.frames[point.firstFrame + i];
            if (frame == 0) continue; // [root]
            if (frame < profile.frames.size())
                profile.stackFrames.push_back(frame);
            else
                ++handler.damaged;
        }
        sample.frames = static_cast<std::uint32_t>(profile.stackFrames.size() - sample.firstFrame);
        addPart(profile, sample, point.endBlocks, point.endBytes, Profile::kNever);
        addPart(profile, sample, point.allBlocks - point.endBlocks, point.allBytes - point.endBytes, 1);
    }
}

} // namespace

/// Line breaks and the order of keys depend on the writer.
bool isDhat(std::string_view start) {
    return trimmed(start).starts_with('{') && start.find("\"dhatFileVersion\"") != std::string_view::npos;
}

Result<Profile> readDhat(ByteSpan bytes, std::string_view name) {
    DhatHandler handler;
    const auto* begin = reinterpret_cast<const char*>(bytes.data());
    if (hasEndlessToken({begin, bytes.size()}))
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} contains a string or number of more than 16 MB, which no profiler writes.", name)};
    const bool isWhole = Json::sax_parse(begin, begin + bytes.size(), &handler);
    if (handler.isTooMuch()) return tooManyStacks(name);
    if (!isWhole && handler.mode.empty())
        return Error{ErrorKind::Damaged, fmt::format("{} is cut off or damaged and contains no allocations.", name)};
    if (handler.version != kVersion) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is a DHAT file with version {}. Highwater reads version {}.", name,
                                 handler.version, kVersion)};
    }
    if (!isOfHeap(handler.mode)) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is a DHAT file in mode {}, which {}. It is not a heap profile.", name,
                                 printable(startOfText(handler.mode, kMostModeBytes)), modeDescription(handler.mode))};
    }
    // The names follow everything that refers to them.
    if (!isWhole) {
        return Error{ErrorKind::Damaged,
                     fmt::format("{} is cut off or damaged: the names of its frames are missing.", name)};
    }
    auto profile = std::move(handler.profile);
    profile.tool = handler.mode == kModeOfRust ? "dhat of Rust" : "DHAT";
    profile.commandLine = handler.command;
    if (handler.pid > 0 && handler.pid <= std::numeric_limits<std::uint32_t>::max())
        profile.pid = static_cast<std::uint32_t>(handler.pid);
    addPoints(handler, profile);
    if (handler.damaged > 0) {
        profile.remarks.push_back(skippedText(handler.damaged, "damaged part", name));
    }
    return profile;
}

} // namespace highwater::source
