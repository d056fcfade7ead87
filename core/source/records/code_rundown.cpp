#include "core/source/records/code_rundown.h"

#include "core/base/byte_reader.h"
#include "core/base/text.h"
#include "core/event/code_opcodes.h"

#include <algorithm>
#include <array>

namespace highwater::source {
namespace {

using namespace std::chrono_literals;

constexpr auto kModulesPatience = 500ms; ///< there are few modules, and no event marks the last one
constexpr auto kSilence = 1000ms;
constexpr auto kMost = 120s;

/// The id of the runtime in its process, from the event. Old events have none, because there was only one runtime.
std::uint16_t runtimeOf(const etl::RawRecord& record) {
    return ByteReader(record.payloadSpan()).take<std::uint16_t>().value_or(0);
}

bool isClr(std::string_view path) {
    constexpr std::array<std::string_view, 3> kRuntimes{"clr.dll", "coreclr.dll", "mscorwks.dll"};
    const auto name = path.substr(path.find_last_of("\\/") + 1);
    return std::ranges::any_of(kRuntimes, [name](auto runtime) { return equalsIgnoringCase(name, runtime); });
}

} // namespace

void CodeRundown::note(const etl::RawRecord& record, Time now) {
    if (record.kind != etl::RawRecord::Kind::Provider || record.pid == etl::kNoId) return;
    const auto provider = record.providerGuid();
    const bool isRundown = provider == kClrRundownProvider;
    if (!isRundown && provider != kClrProvider) return;
    if (isRundown) heardAt_ = now;
    static_assert(clr_event::kRuntime == clr_rundown_event::kRuntime);
    if (record.eventId == clr_event::kRuntime) {
        processes_.insert(record.pid);
        completed_.try_emplace({record.pid, runtimeOf(record)});
    }
    if (hasBegun_ && isRundown && record.eventId == clr_rundown_event::kComplete)
        ++completed_[{record.pid, runtimeOf(record)}];
}

void CodeRundown::noteImage(std::uint32_t pid, std::string_view path) {
    if (isClr(path)) processes_.insert(pid);
}

bool CodeRundown::begin(const std::set<std::uint32_t>& running, Time now) {
    std::erase_if(processes_, [&running](std::uint32_t pid) { return !running.contains(pid); });
    std::erase_if(completed_, [&running](const auto& runtime) { return !running.contains(runtime.first.first); });
    hasBegun_ = true;
    begunAt_ = heardAt_ = now;
    return !processes_.empty();
}

void CodeRundown::beginMethods(Time now) {
    areMethodsAsked_ = true;
    heardAt_ = now;
}

/// Whether every process with a runtime has reported, and all its runtimes have completed that many times.
bool CodeRundown::haveAllCompleted(unsigned times) const {
    const auto isThrough = [times](const auto& runtime) { return runtime.second >= times; };
    return std::ranges::all_of(completed_, isThrough) && std::ranges::all_of(processes_, [this](std::uint32_t pid) {
               const auto first = completed_.lower_bound({pid, std::uint16_t{0}});
               return first != completed_.end() && first->first.first == pid;
           });
}

bool CodeRundown::isComplete() const { return haveAllCompleted(2); }

bool CodeRundown::isStepOver(Time now) const {
    if (now - begunAt_ >= kMost) return true;
    if (areMethodsAsked_) return isComplete() || now - heardAt_ >= kSilence;
    return haveAllCompleted(1) || now - heardAt_ >= kModulesPatience;
}

} // namespace highwater::source
