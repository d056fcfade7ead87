#include "tests/benchmarks/load_measure.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <new>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace highwater::benchmarks {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(3);

std::uint64_t anonymousBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("RssAnon:")) return std::stoull(line.substr(8)) * 1024;
    }
    return 0;
}

double cpuSeconds() {
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Samples, every few milliseconds, values that are gone when the work is done: the memory peak, and the CPU time of
/// threads.
class Watcher {
  public:
    Watcher() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}
    void finish(Measured& measured) {
        thread_.request_stop();
        thread_.join();
        measured.peakBytes = peak_ - std::min(peak_, before_);
        std::vector<double> seconds;
        for (const auto& [id, nanoseconds] : threads_) {
            if (id != own_) seconds.push_back(static_cast<double>(nanoseconds) * 1e-9);
        }
        std::sort(seconds.rbegin(), seconds.rend());
        std::copy_n(seconds.begin(), std::min(seconds.size(), measured.threadSeconds.size()),
                    measured.threadSeconds.begin());
    }
    [[nodiscard]] std::uint64_t before() const { return before_; }

  private:
    void watch(const std::stop_token& stop) {
        own_ = ::gettid();
        while (!stop.stop_requested()) {
            look();
            std::this_thread::sleep_for(kLookEvery);
        }
    }
    void look() {
        peak_ = std::max(peak_, anonymousBytes());
        std::error_code gone;
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", gone)) {
            std::uint64_t nanoseconds = 0;
            std::ifstream(entry.path() / "schedstat") >> nanoseconds;
            auto& known = threads_[std::stoi(entry.path().filename().string())];
            known = std::max(known, nanoseconds);
        }
    }

    pid_t own_ = 0;
    std::uint64_t before_ = anonymousBytes();
    std::uint64_t peak_ = 0;
    std::map<pid_t, std::uint64_t> threads_;
    std::jthread thread_;
};

void measureHere(Processors processors, const std::function<void(Measured&)>& measure, Measured& measured) {
    if (processors == Processors::One) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(0, &set);
        (void)::sched_setaffinity(0, sizeof(set), &set);
    }
    Watcher watcher;
    measured.begin = Measured::Clock::now();
    measure(measured);
    measured.seconds = std::chrono::duration<double>(measured.end - measured.begin).count();
    watcher.finish(measured);
    measured.endBytes -= std::min(measured.endBytes, watcher.before());
}

/// The whole file, mapped as long as this lives.
class Mapping {
  public:
    explicit Mapping(const std::filesystem::path& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat status {};
        if (file < 0 || ::fstat(file, &status) != 0) return;
        void* base = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
        ::close(file);
        if (base == MAP_FAILED) return;
        bytes_ = static_cast<const char*>(base);
        size_ = static_cast<std::size_t>(status.st_size);
    }
    ~Mapping() {
        if (bytes_ != nullptr) ::munmap(const_cast<char*>(bytes_), size_);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    [[nodiscard]] const char* bytes() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    const char* bytes_ = nullptr;
    std::size_t size_ = 0;
};

template <typename T>
T at(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

} // namespace

void Measured::finish() {
    end = Clock::now();
    cpuSeconds = benchmarks::cpuSeconds();
    endBytes = anonymousBytes();
}

Measured measureInProcess(Processors processors, const std::function<void(Measured&)>& measure) {
    void* shared = ::mmap(nullptr, sizeof(Measured), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return {};
    auto* measured = new (shared) Measured;
    const auto child = ::fork();
    if (child == 0) {
        measureHere(processors, measure, *measured);
        ::_exit(0);
    }
    int status = -1;
    if (child > 0) ::waitpid(child, &status, 0);
    const auto result = status == 0 ? *measured : Measured{};
    ::munmap(shared, sizeof(Measured));
    return result;
}

namespace {

void sumUp(const std::filesystem::path& path, std::uint64_t& records, std::uint64_t& sum) {
    const Mapping file(path);
    for (std::size_t buffer = 0; buffer + 72 <= file.size();) {
        const auto* start = file.bytes() + buffer;
        const std::size_t end = at<std::uint32_t>(start + 48);
        for (std::size_t record = 72; record + 8 <= end;) {
            const auto* header = start + record;
            if (at<std::uint32_t>(header) == 0xFFFFFFFFu) break;
            // SYSTEM64 and COMPACT64 (1 to 4), PERFINFO (16, 17): the size is the third word.
            const auto type = static_cast<unsigned char>(header[2]);
            const std::size_t bytes = at<std::uint16_t>(header + 4);
            const std::size_t headerBytes = type >= 16 ? 16 : type >= 3 ? 24 : 32;
            for (std::size_t i = headerBytes; i + 8 <= bytes; i += 8)
                sum += at<std::uint64_t>(header + i);
            ++records;
            record += (bytes + 7) & ~std::size_t{7};
        }
        buffer += at<std::uint32_t>(start);
    }
}

} // namespace

void loopOverBuffers(const std::filesystem::path& path, Measured& measured) {
    std::uint64_t records = 0;
    std::uint64_t sum = 0;
    sumUp(path, records, sum);
    measured.finish();
    measured.records = records;
    measured.sum = sum;
}

void bringIntoCache(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> piece(std::size_t{1} << 20);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    }
}

} // namespace highwater::benchmarks
