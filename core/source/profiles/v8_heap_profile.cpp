#include "core/source/profiles/v8_heap_profile.h"

#include "core/base/seeded_hash.h"
#include "core/source/profiles/json_tokens.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tsl/robin_map.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace highwater::source {
namespace {

using V8Json = nlohmann::json;

constexpr std::size_t kDeepestNode = 1024; ///< calls in a stack; V8 itself writes at most 128
constexpr std::uint32_t kNoV8Frame = 0xFFFFFFFFu;

/// Handles the tree as a stream: {"head":{"callFrame":{...},"selfSize":1,"children":[{...}]},"samples":[...]}. Its
/// nodes are calls, except the root. Answers of the debugger protocol contain it one level deeper, in "profile".
class V8Handler final : public nlohmann::json_sax<V8Json> {
  public:
    explicit V8Handler(Profile& profile) : profile_(profile) {}

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t value) override {
        if (isNode() && key_ == "selfSize") ++damaged; // positive ones are unsigned
        if (isCallFrame() && key_ == "lineNumber") line_ = value;
        return true;
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (isNode() && key_ == "selfSize") nodes_.back().bytes = value;
        if (isCallFrame() && key_ == "lineNumber")
            line_ = static_cast<std::int64_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::int32_t>::max()));
        return true;
    }
    bool number_float(number_float_t value, const string_t& /*text*/) override {
        const bool isRight = value >= 0 && value <= static_cast<double>(kMostProfileBytes);
        if (isNode() && key_ == "selfSize")
            isRight ? void(nodes_.back().bytes = static_cast<ByteCount>(value)) : void(++damaged);
        return true;
    }
    bool string(string_t& value) override {
        if (isCallFrame() && key_ == "functionName") function_ = value;
        if (isCallFrame() && key_ == "url") url_ = value;
        return true;
    }
    bool binary(binary_t& /*value*/) override { return true; }
    bool key(string_t& value) override {
        key_ = value;
        return true;
    }
    bool start_object(std::size_t /*elements*/) override {
        const auto outer = levels_.empty() ? Level::Other : levels_.back();
        const bool isProfile = levels_.size() == 1 && key_ == "profile";
        if (((levels_.size() == 1 || outer == Level::Profile) && key_ == "head") || outer == Level::Children) {
            nodes_.emplace_back();
            levels_.push_back(Level::Node);
            return nodes_.size() <= kDeepestNode;
        }
        const bool isFrame = outer == Level::Node && key_ == "callFrame";
        if (isFrame) function_.clear(), url_.clear(), line_ = -1;
        return enter(isFrame ? Level::CallFrame : isProfile ? Level::Profile : Level::Other);
    }
    bool end_object() override {
        const auto level = leave();
        if (level == Level::CallFrame && nodes_.size() > 1) nodes_.back().frame = frameOf();
        if (level == Level::Node) endNode();
        return !isTooMuch(profile_);
    }
    bool start_array(std::size_t /*elements*/) override {
        return enter(isNode() && key_ == "children" ? Level::Children : Level::Other);
    }
    bool end_array() override {
        leave();
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override {
        return false;
    }

    /// Counts nodes that were open when the file ended.
    void endRest() {
        while (!nodes_.empty())
            endNode();
    }
    std::uint64_t damaged = 0;
    std::uint64_t calls = 0;

  private:
    enum class Level : std::uint8_t { Profile, Node, CallFrame, Children, Other };
    struct Node {
        std::uint32_t frame = kNoV8Frame;
        ByteCount bytes = 0;
    };

    [[nodiscard]] bool isNode() const { return !levels_.empty() && levels_.back() == Level::Node; }
    [[nodiscard]] bool isCallFrame() const { return !levels_.empty() && levels_.back() == Level::CallFrame; }
    bool enter(Level level) {
        levels_.push_back(level);
        return levels_.size() <= 2 * kDeepestNode + 2;
    }
    Level leave() {
        const auto level = levels_.back();
        levels_.pop_back();
        return level;
    }

    /// Functions have no addresses in the file, so each gets its own.
    std::uint32_t frameOf() {
        const auto number = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
            line_ + 1, 0, std::numeric_limits<std::int32_t>::max())); // the file counts from 0; -1: not known
        const auto function = profile_.names.idOf(function_.empty() ? "(anonymous)" : function_);
        const auto url = profile_.names.idOf(url_);
        const std::pair key(std::uint64_t{function} << 32 | url, number);
        const auto [entry, isNew] = frames_.emplace(key, static_cast<std::uint32_t>(profile_.frames.size()));
        if (!isNew) return entry->second;
        profile_.addFrame(0, Address{entry->second} + 1);
        profile_.addFunction(function, url, number);
        return entry->second;
    }

    void endNode() {
        ++calls;
        if (const auto bytes = nodes_.back().bytes; bytes > kMostProfileBytes) {
            ++damaged;
        } else if (bytes > 0) {
            Profile::Sample sample{.firstFrame = static_cast<std::uint32_t>(profile_.stackFrames.size()), .objects = 1};
            sample.bytes = bytes;
            for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node)
                if (node->frame != kNoV8Frame) profile_.stackFrames.push_back(node->frame);
            sample.frames = static_cast<std::uint32_t>(profile_.stackFrames.size()) - sample.firstFrame;
            profile_.samples.push_back(sample);
        }
        nodes_.pop_back();
    }

    Profile& profile_;
    std::vector<Level> levels_;
    std::vector<Node> nodes_; ///< open nodes, the outermost one first
    std::string key_, function_, url_;
    std::int64_t line_ = -1;
    tsl::robin_map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t, SeededHash>
        frames_; ///< by function, URL and line
};

} // namespace

bool isV8HeapProfile(std::string_view start) {
    std::string text;
    std::copy_if(start.begin(), start.end(), std::back_inserter(text),
                 [](char letter) { return letter != ' ' && letter != '\n' && letter != '\r' && letter != '\t'; });
    std::string_view rest = text;
    constexpr std::string_view kOutside = R"({"profile":)", kBegin = R"({"head":{"callFrame":)";
    if (rest.starts_with(kOutside)) rest.remove_prefix(kOutside.size());
    return rest.starts_with(kBegin);
}

Result<Profile> readV8HeapProfile(ByteSpan bytes, std::string_view name) {
    Profile profile;
    V8Handler handler(profile);
    const auto* begin = reinterpret_cast<const char*>(bytes.data());
    if (hasEndlessToken({begin, bytes.size()}))
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} contains a string or number of more than 16 MB, which no profiler writes.", name)};
    const bool isWhole = V8Json::sax_parse(begin, begin + bytes.size(), &handler);
    if (isTooMuch(profile)) return tooManyStacks(name);
    handler.endRest();
    if (!isWhole && profile.samples.empty())
        return Error{ErrorKind::Damaged, fmt::format("{} is cut off or damaged and contains no allocations.", name)};
    profile.tool = "V8";
    profile.hasCounts = false;
    profile.notes.emplace_back("V8 samples allocations, so bytes are estimates of memory in use when the profile was "
                               "written. The profile does not contain object counts.");
    if (!isWhole) profile.remarks.push_back(fmt::format("{} is cut off or damaged; the rest is missing.", name));
    if (handler.damaged > 0) {
        profile.remarks.push_back(skippedText(handler.damaged, "damaged part", name));
    }
    return profile;
}

} // namespace highwater::source
