#include "core/agent_linux/executable_memory.h"

#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/ticks.h"

#include <fcntl.h>

namespace highwater::agent {

ExecutableMemory executableMemory;

namespace {

constexpr std::uint64_t kFreeNs = 5'000'000; ///< new programs generate much code at once
constexpr std::uint64_t kShare = 50;         ///< after that, at most 1/kShare of the time
constexpr std::uint64_t kLongestNs = 1'000'000'000;

} // namespace

/// Parses lines of /proc/self/maps in pieces: "BEGIN-END rwxp ...".
class ExecutableMemory::Lines {
  public:
    explicit Lines(Parts& parts) : parts_(parts) {}

    void take(const char* bytes, long count) {
        for (long i = 0; i < count; ++i)
            take(bytes[i]);
    }
    void finish() {
        parts_.areAll.store(areAll_, std::memory_order_relaxed);
        parts_.count.store(count_, std::memory_order_relaxed);
    }

  private:
    enum class Field { Begin, End, Rights, Rest };

    void take(char c) {
        if (c == '\n') {
            if (isExecutable_) add();
            field_ = Field::Begin;
            begin_ = end_ = 0;
            isExecutable_ = false;
        } else if (field_ == Field::Begin || field_ == Field::End) {
            takeOfAddress(c);
        } else if (field_ == Field::Rights) {
            if (c == 'x') isExecutable_ = true;
            if (c == ' ') field_ = Field::Rest;
        }
    }
    void takeOfAddress(char c) {
        std::uint64_t& value = field_ == Field::Begin ? begin_ : end_;
        if (c == '-') field_ = Field::End;
        if (c == ' ') field_ = Field::Rights;
        if (c >= '0' && c <= '9') value = value << 4 | static_cast<std::uint64_t>(c - '0');
        if (c >= 'a' && c <= 'f') value = value << 4 | static_cast<std::uint64_t>(c - 'a' + 10);
    }
    void add() {
        if (count_ != 0 && parts_.end[count_ - 1].load(std::memory_order_relaxed) == begin_) {
            parts_.end[count_ - 1].store(end_, std::memory_order_relaxed);
            return;
        }
        if (count_ == kMostParts) {
            areAll_ = false;
            return;
        }
        parts_.begin[count_].store(begin_, std::memory_order_relaxed);
        parts_.end[count_].store(end_, std::memory_order_relaxed);
        ++count_;
    }

    Parts& parts_;
    Field field_ = Field::Begin;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
    bool isExecutable_ = false;
    bool areAll_ = true;
    std::uint32_t count_ = 0;
};

void ExecutableMemory::take(Read read, void* context) {
    const std::uint32_t now = newest_.load(std::memory_order_relaxed);
    const std::uint32_t other = now == 1 ? 1 : 0;
    Lines lines(parts_[other]);
    char bytes[1024]; // the stack may be that of a signal handler
    for (long count = 0; (count = read(context, bytes, sizeof bytes)) > 0;)
        lines.take(bytes, count);
    lines.finish();
    newest_.store(other + 1, std::memory_order_release);
}

bool ExecutableMemory::isListed(std::uint64_t address) const {
    const std::uint32_t newest = newest_.load(std::memory_order_acquire);
    if (newest == 0) return false;
    const Parts& parts = parts_[newest - 1];
    if (!parts.areAll.load(std::memory_order_relaxed)) return true;
    std::uint32_t low = 0;
    for (std::uint32_t high = parts.count.load(std::memory_order_relaxed); low < high;) {
        const std::uint32_t middle = (low + high) / 2;
        if (parts.begin[middle].load(std::memory_order_relaxed) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && address < parts.end[low - 1].load(std::memory_order_relaxed);
}

/// Lets one of several threads refresh. A holder that keeps the token for long never releases it, because a signal
/// handler left it with a jump or the process has forked.
bool ExecutableMemory::mayRefresh() {
    const std::uint64_t spent = spentNs_.load(std::memory_order_relaxed);
    const bool isDue =
        spent <= kFreeNs || (spent - kFreeNs) * kShare <= monotonicNs() - firstNs_.load(std::memory_order_relaxed);
    std::uint64_t since = atItSinceNs_.load(std::memory_order_relaxed);
    const std::uint64_t now = monotonicNs();
    const bool isFree = since == 0 || now - since > kLongestNs;
    return isDue && isFree && atItSinceNs_.compare_exchange_strong(since, now, std::memory_order_acquire);
}

void ExecutableMemory::refresh() {
    const std::uint64_t begin = monotonicNs();
    long file = systemCall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
    const auto read = [](void* context, char* bytes, unsigned long most) {
        return systemCall(SYS_read, *static_cast<long*>(context), reinterpret_cast<long>(bytes),
                          static_cast<long>(most));
    };
    if (file >= 0) {
        take(read, &file);
        systemCall(SYS_close, file);
    } else if (newest_.load(std::memory_order_relaxed) == 0) { // the list is not available: anything may be code
        parts_[0].areAll.store(false, std::memory_order_relaxed);
        newest_.store(1, std::memory_order_release);
    }
    if (firstNs_.load(std::memory_order_relaxed) == 0) firstNs_.store(begin, std::memory_order_relaxed);
    spentNs_.fetch_add(monotonicNs() - begin, std::memory_order_relaxed);
    atItSinceNs_.store(0, std::memory_order_release);
}

bool ExecutableMemory::contains(std::uint64_t address) {
    if (isListed(address)) return true;
    if (!mayRefresh()) return false;
    refresh();
    return isListed(address);
}

} // namespace highwater::agent
