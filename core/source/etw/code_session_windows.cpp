#include "core/source/etw/code_session_windows.h"

#include "core/event/code_opcodes.h"
#include "core/log/log.h"
#include "core/source/etw/windows_handle_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace highwater::source {
namespace {

using namespace std::chrono_literals;
using CodeClock = std::chrono::steady_clock;

constexpr auto kLookEvery = 10ms;
/// Time limit for Windows to deliver the rest of a stopped session.
constexpr auto kEndPatience = 10s;
constexpr std::size_t kCodeRingBytes = std::size_t{16} << 20;

constexpr UCHAR kVerbose = 5, kInformation = 4;
constexpr ULONGLONG kGc = 0x1, kLoader = 0x8, kJit = 0x10, kNgen = 0x20, kStartRundown = 0x40, kEndRundown = 0x100,
                    kIlMap = 0x2'0000, kSuppressNgen = 0x4'0000;
constexpr ULONGLONG kMethods = kJit | kNgen | kIlMap | kSuppressNgen;

EtwProvider clr(bool withStacks) {
    EtwProvider provider{kClrProvider, kVerbose, kGc | kLoader | kMethods};
    if (withStacks) provider.stacksOf = {clr_event::kAllocationTick};
    return provider;
}
EtwProvider script() { return {kScriptProvider, kInformation, 0x1}; }
EtwProvider rundown(ULONGLONG keywords) { return {kClrRundownProvider, kVerbose, keywords}; }

} // namespace

CodeSession::CodeSession(const EtwApi& api) : api_(api), ring_(kCodeRingBytes) {}

CodeSession::~CodeSession() {
    if (session_) session_->stop();
}

void CodeSession::start(std::vector<std::uint32_t> pids, bool ranBefore) {
    pids_ = std::move(pids);
    ranBefore_ = ranBefore;
    const auto opened = open();
    if (opened.hasValue()) return;
    session_.reset();
    sentences_.push_back("Names of managed code are not recorded: " + opened.error().message);
}

/// Enables the providers first, so that the consumer misses no events.
Result<void> CodeSession::open() {
    session_ = TRY(EtwSession::startCode(api_));
    TRY(enable(pids_));
    consumer_ = TRY(EtwConsumer::open(api_, session_->name(), ring_));
    return {};
}

Result<void> CodeSession::enable(const std::vector<std::uint32_t>& pids) {
    auto enabled = session_->enable(clr(true), pids);
    // Not every version of Windows filters stacks.
    if (!enabled.hasValue()) enabled = session_->enable(clr(false), pids);
    TRY(enabled);
    enabled = session_->enable(script(), pids);
    if (!enabled.hasValue() || !ranBefore_) return enabled;
    return session_->enable(rundown(kStartRundown | kLoader | kMethods), pids);
}

void CodeSession::add(const std::vector<std::uint32_t>& pids, const std::set<std::uint32_t>& running) {
    if (!session_) return;
    std::erase_if(pids_, [&running](std::uint32_t pid) { return !running.contains(pid); });
    pids_.insert(pids_.end(), pids.begin(), pids.end());
    if (pids_.size() > kMostFilteredPids) {
        pids_.resize(kMostFilteredPids);
        sentences_.push_back(fmt::format("Windows supports names of managed code for {} processes at once. Names of "
                                         "further children are missing.",
                                         kMostFilteredPids));
    }
    ranBefore_ = false; // earlier processes have already reported
    if (const auto enabled = enable(pids_); !enabled.hasValue())
        sentences_.push_back("Names of managed code of children are missing: " + enabled.error().message);
}

void CodeSession::note(const etl::RawRecord& record) { rundown_.note(record, CodeClock::now()); }

void CodeSession::flush() {
    if (session_) session_->flush();
}

void CodeSession::look() {
    if (!session_ || !consumer_->hasEnded()) return;
    sentences_.push_back(
        fmt::format("Another program stopped the session \"{}\": names of managed code are missing from then on.",
                    utf8Of(session_->name())));
    session_.reset();
}

/// Modules come first, because methods are numerous and of little use without their modules.
void CodeSession::finish(const std::set<std::uint32_t>& running, const std::stop_token& skip, Progress& progress,
                         const std::function<void()>& deliver) {
    if (!session_) return;
    if (rundown_.begin(running, CodeClock::now())) {
        log(LogLevel::Information, LogArea::Recording, "Names of managed code are being collected.");
        progress.total = 1;
        session_->disable(kClrRundownProvider); // it may have been enabled at the start
        collect(kEndRundown | kLoader, skip, deliver);
        rundown_.beginMethods(CodeClock::now());
        collect(kEndRundown | kMethods, skip, deliver);
        if (skip.stop_requested())
            sentences_.emplace_back("Collecting names of managed code was cut short. Some names are missing.");
    }
    reportNamesLost();
    session_->stop();
    for (const auto until = CodeClock::now() + kEndPatience; !consumer_->hasEnded() && CodeClock::now() < until;) {
        deliver();
        std::this_thread::sleep_for(kLookEvery);
    }
    consumer_.reset();
    deliver();
    session_.reset();
    progress.done = progress.total.load();
}

void CodeSession::collect(ULONGLONG keywords, const std::stop_token& skip, const std::function<void()>& deliver) {
    if (!session_->enable(rundown(keywords), pids_).hasValue()) return;
    while (!rundown_.isStepOver(CodeClock::now()) && !skip.stop_requested() && !consumer_->hasEnded()) {
        session_->flush();
        deliver();
        std::this_thread::sleep_for(kLookEvery);
    }
}

void CodeSession::reportNamesLost() {
    const auto told = session_->losses().value_or(EtwLosses{});
    const auto seen = consumer_->losses();
    if (told.events + told.buffers + seen.events + seen.buffers + ring_.dropped() > 0)
        sentences_.emplace_back("Events that name managed code were lost. Some names are missing.");
}

} // namespace highwater::source
