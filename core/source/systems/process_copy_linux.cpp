#include "core/source/contract/process_copy.h"

#include "core/base/text.h"
#include "core/files/owned_file_linux.h"
#include "core/source/agent/agent_attach_linux.h"
#include "core/source/agent/agent_channel_linux.h"
#include "core/source/agent/agent_thread_names_linux.h"
#include "core/source/agent/copy_file_linux.h"
#include "core/source/attach/process_search_linux.h"
#include "core/source/systems/clock_match_linux.h"
#include "core/source/systems/copy_checks_linux.h"
#include "core/source/systems/excluded_memory_linux.h"
#include "core/source/systems/resident_pages_linux.h"
#include "core/source/systems/run_joiner.h"
#include "core/source/systems/smaps_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

namespace highwater::source {
namespace {

using agent::CopyAnswer, agent::CopyState;

/// The usual time until all of a copy has been read.
constexpr unsigned kReadSeconds = 4;
constexpr auto kReadyWithin = std::chrono::seconds(4);
static_assert(kCopyLife == std::chrono::seconds(agent::kCopySeconds));

/// Unlike the pid of the copy, which the system may assign again, its files remain those of the copy.
class CopyOfProcess final : public ProcessCopy {
  public:
    [[nodiscard]] std::optional<std::int64_t> ticks() const override { return ticks_; }
    [[nodiscard]] const ResidentSample& mappings() const override { return mappings_; }
    [[nodiscard]] const std::vector<CopiedThread>& threads() const override { return threads_; }
    [[nodiscard]] std::uint32_t unreadThreads() const override { return unreadThreads_; }
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const override;

    CopyFile file_; ///< the copy ends with it
    OwnedFile memory_;
    ResidentSample mappings_;
    std::vector<CopiedThread> threads_;
    std::optional<std::int64_t> ticks_;
    std::uint32_t unreadThreads_ = 0;
};

/// Returns 0 at the end of the copy.
std::size_t CopyOfProcess::read(Address from, std::span<std::byte> to) const {
    constexpr Address kLast = std::numeric_limits<std::int64_t>::max();
    std::size_t done = 0;
    while (done < to.size() && from <= kLast - done) {
        const auto bytes =
            ::pread(memory_.number(), to.data() + done, to.size() - done, static_cast<off_t>(from + done));
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes <= 0) break;
        done += static_cast<std::size_t>(bytes);
    }
    return done;
}

Error notCopied(std::uint32_t pid, ErrorKind kind, std::string_view why) {
    return {kind, fmt::format("{} was not copied because {}", titleOf(pid), why)};
}

Error unreadable(std::uint32_t pid, const char* file, int error) {
    return notCopied(pid, ErrorKind::Io,
                     fmt::format("{} of the copy cannot be read ({}).", file, std::strerror(error)));
}

Error stopped(std::uint32_t pid) { return notCopied(pid, ErrorKind::Cancelled, "a stop was requested."); }

/// From then on the system permits this program to read the copy.
Result<void> waitUntilReady(const CopyFile& file, std::uint32_t pid, int copy, const std::stop_token& stop) {
    const auto until = std::chrono::steady_clock::now() + kReadyWithin;
    while (std::chrono::steady_clock::now() < until) {
        const bool isOver = !isAlive(std::to_string(copy)); // before its state is read, which it wrote before
        const auto state = file.answer().value_or(CopyAnswer{}).state;
        if (state == CopyState::Ready && !isOver) return {};
        if (state == CopyState::Unlimited) return notCopied(pid, ErrorKind::Io, "the copy could not create a timer.");
        if (isOver) return notCopied(pid, ErrorKind::Io, "the copy has ended.");
        if (stop.stop_requested()) return stopped(pid);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return notCopied(pid, ErrorKind::Io,
                     "the copy did not begin within 4 seconds. Try again when the machine is less "
                     "busy.");
}

/// Whether the pid has not been assigned to another process meanwhile.
bool isCopy(const OwnedFile& folder) {
    constexpr std::string_view kExpected = agent::kCopyName;
    const auto file = openIn(folder, "comm");
    std::array<char, kExpected.size()> name{};
    return ::read(file.number(), name.data(), name.size()) == static_cast<ssize_t>(name.size()) &&
           std::string_view(name.data(), name.size()) == kExpected;
}

/// Reading other pages would create them in the copy, one by one. Small mappings are read at once.
void addTouchedPages(ResidentSample& sample, const OwnedFile& pagemap) {
    constexpr ByteCount kSmall = 1 << 20;
    if (!pagemap.isOpen()) return;
    ResidentPages pages(pagemap.number(), ResidentPages::best(), ResidentPages::Which::Touched);
    for (auto& mapping : sample.mappings) {
        if (!isPrivateAnonymous(mapping) || mapping.end - mapping.begin <= kSmall) continue;
        auto touched = pages.of(mapping.begin, mapping.end);
        if (!touched) continue;
        mapping.pages = std::move(*touched);
        mapping.flags |= mapping_flag::kPages;
    }
}

Result<void> openMemory(CopyOfProcess& copy, std::uint32_t pid, int number) {
    const OwnedFile folder(::open(fmt::format("/proc/{}", number).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!isCopy(folder)) return notCopied(pid, ErrorKind::Io, "the copy has ended.");
    copy.memory_ = openIn(folder, "mem");
    if (!copy.memory_.isOpen()) return unreadable(pid, "mem", errno);
    const auto map = openIn(folder, "maps");
    SmapsReader reader;
    if (const int error = map.isOpen() ? reader.takeFile(map.number()) : errno; error != 0)
        return unreadable(pid, "maps", error);
    copy.mappings_ = reader.finish();
    copy.mappings_.pid = pid;
    addTouchedPages(copy.mappings_, openIn(folder, "pagemap"));
    if (copy.mappings_.mappings.empty()) return notCopied(pid, ErrorKind::Io, "the copy has ended.");
    return {};
}

CopiedThread threadOf(std::uint32_t pid, const agent::CopyThreadRecord& record) {
    constexpr std::size_t kStackPointer = 7; // the number of rsp in DWARF
    CopiedThread thread;
    thread.tid = static_cast<std::uint32_t>(record.tid);
    thread.name = printable(threadNameNow(pid, thread.tid));
    thread.instruction = record.instruction;
    thread.threadPointer = record.threadPointer;
    std::ranges::copy(record.registers, thread.registers.begin());
    thread.stackPointer = thread.registers[kStackPointer];
    return thread;
}

void takeThreads(CopyOfProcess& copy, std::uint32_t pid, const CopyAnswer& answer) {
    for (const auto& record : copy.file_.threads())
        copy.threads_.push_back(threadOf(pid, record));
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    copy.unreadThreads_ = static_cast<std::uint32_t>(std::min(answer.stop.unreadThreads, kMost));
}

/// Any thread of the process may make the copy.
Result<int> makeCopy(std::uint32_t pid, const CopyFile& file, const std::stop_token& stop) {
    AgentLoad load{pid, findAgentLibrary().string(), file.path()};
    load.function = AgentFunction::Copy;
    auto made = callAgent(load, stop);
    const bool isCancelled = !made.hasValue() && made.error().kind == ErrorKind::Cancelled;
    return isCancelled ? stopped(pid) : std::move(made);
}

} // namespace

Result<void> checkProcessCopy(std::uint32_t pid) {
    TRY(checkCopyable(pid, AgentFunction::Copy, kReadSeconds));
    return {};
}

Result<std::unique_ptr<ProcessCopy>> copyProcess(std::uint32_t pid, const std::function<std::int64_t()>& clock,
                                                 const std::stop_token& stop) {
    TRY(checkCopyable(pid, AgentFunction::Copy, kReadSeconds));
    auto copy = std::make_unique<CopyOfProcess>();
    if (!copy->file_.isOpen())
        return notCopied(pid, ErrorKind::Io, "the system refused shared memory for its threads.");
    const auto mappings = mappingsNow(pid);
    // The process is stopped by another program, which cannot read this clock.
    const auto before = clock ? readTogether(clock) : ClockPair();
    const int number = TRY(makeCopy(pid, copy->file_, stop));
    const auto after = clock ? readTogether(clock) : ClockPair();
    TRY(waitUntilReady(copy->file_, pid, number, stop));
    TRY(openMemory(*copy, pid, number));
    addExcludedMappings(copy->mappings_, mappings, pid);
    const auto answer = copy->file_.answer().value_or(CopyAnswer{});
    takeThreads(*copy, pid, answer);
    if (clock) copy->ticks_ = ticksAt(static_cast<std::int64_t>(answer.stop.instantNs), before, after);
    return std::unique_ptr<ProcessCopy>(std::move(copy));
}

} // namespace highwater::source
