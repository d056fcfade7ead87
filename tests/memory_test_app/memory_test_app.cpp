// The program of Exercise 2: something to record. For 30 seconds it keeps 10 MB, from the middle on 20 MB; ten times it
// needs 10 MB more for 100 ms; and every 31 ms it makes a block of 40 bytes that it never frees. Highwater has to find
// out which function keeps which memory:
//   main                                        the steady 10 MB, and the 10 MB added halfway
//   main > Operation1 > ManipulateTemporaryBuffer   the spikes
//   main > InnerLoopOperation                   the leak
#include "tests/memory_test_app/pages.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#if defined(__GNUC__)
#define ITS_OWN_FRAME __attribute__((noinline, noclone))
#else
#define ITS_OWN_FRAME __declspec(noinline)
#endif

namespace {

constexpr std::size_t kBigBytes = 10 * 1024 * 1024;
constexpr std::size_t kReservedBytes = 64 * 1024 * 1024;
constexpr double kLeaksPerSecond = 31.9;
constexpr int kSpikes = 10;
constexpr double kSpikeSeconds = 0.1;

/// The exercise's own time: `speed` seconds of it pass in a second.
class ExerciseClock {
  public:
    explicit ExerciseClock(double speed) : speed_(speed) {}
    void sleepUntil(double seconds) const {
        const auto real = std::chrono::duration<double>(seconds / speed_);
        std::this_thread::sleep_until(begin_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(real));
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    double speed_;
};

/// An action and its time.
struct Step {
    double seconds = 0;
    enum class What { Leak, KeepMore, Spike } what = What::Leak;
};

std::vector<Step> stepsOf(double seconds, double leaksPerSecond) {
    std::vector<Step> steps;
    for (int i = 0; i < kSpikes; ++i) {
        steps.push_back({seconds * (0.05 + i * 1.0 / kSpikes), Step::What::Spike});
    }
    steps.push_back({seconds / 2, Step::What::KeepMore});
    for (int i = 0; 0.01 + i / leaksPerSecond < seconds; ++i) {
        steps.push_back({0.01 + i / leaksPerSecond, Step::What::Leak});
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.seconds < b.seconds; });
    return steps;
}

void use(void* memory, std::size_t bytes) { std::memset(memory, 0x5A, bytes); }

/// volatile, because otherwise compilers would remove the unused allocation.
void* volatile leaked = nullptr;

} // namespace

ITS_OWN_FRAME void InnerLoopOperation() {
    auto* block = new char[40];
    use(block, 40);
    leaked = block;
}

ITS_OWN_FRAME void ManipulateTemporaryBuffer(const ExerciseClock& clock, double until) {
    void* buffer = commitPages(kBigBytes);
    use(buffer, kBigBytes);
    clock.sleepUntil(until);
    releasePages(buffer, kBigBytes);
}

ITS_OWN_FRAME void Operation1(const ExerciseClock& clock, double until) {
    ManipulateTemporaryBuffer(clock, until);
    leaked = nullptr; // not a jump: the frame stays on the stack
}

int main(int argumentCount, char** arguments) {
    double seconds = 30;
    double speed = 1;
    double leaksPerSecond = kLeaksPerSecond;
    for (int i = 1; i < argumentCount; ++i) {
        const std::string name = arguments[i];
        const double value = i + 1 < argumentCount ? std::atof(arguments[i + 1]) : 0;
        if (name == "--seconds" && value > 0) {
            seconds = value;
            ++i;
        } else if (name == "--speed" && value > 0) {
            speed = value;
            ++i;
        } else if (name == "--leaks" && value > 0) {
            leaksPerSecond = value;
            ++i;
        } else {
            const bool isKnown = name == "--seconds" || name == "--speed" || name == "--leaks";
            std::fprintf(stderr,
                         isKnown ? "memory_test_app: %s expects a number greater than 0.\n"
                                 : "memory_test_app: Unknown option %s.\n",
                         name.c_str());
            std::fprintf(
                stderr,
                "Usage: memory_test_app [--seconds S] [--speed X] [--leaks N]\n"
                "Allocates memory in known ways, for a memory profiler to be tried on: S seconds (30) of it, X\n"
                "times as fast (1), with N leaks a second of it (31.9).\n");
            return 1;
        }
    }

    const ExerciseClock clock(speed);
    (void)reservePages(kReservedBytes);
    use(commitPages(kBigBytes), kBigBytes);
    for (const auto& step : stepsOf(seconds, leaksPerSecond)) {
        clock.sleepUntil(step.seconds);
        if (step.what == Step::What::Leak) InnerLoopOperation();
        if (step.what == Step::What::KeepMore) use(commitPages(kBigBytes), kBigBytes);
        if (step.what == Step::What::Spike) Operation1(clock, step.seconds + kSpikeSeconds);
    }
    clock.sleepUntil(seconds);
    return 0;
}
