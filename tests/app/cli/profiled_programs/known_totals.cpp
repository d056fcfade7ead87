// Allocates a known amount and prints it: recorded by several profilers (other_profilers_linux_test.cpp).
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kLeaks = 300;
constexpr std::size_t kLeakBytes = 10'007; // no library requests that much
constexpr int kChurns = 5000;
constexpr std::size_t kChurnBytes = 4'099;

void* volatile kept; // an unused block would be optimised away

} // namespace

[[gnu::noinline]] void leakOne() {
    kept = std::malloc(kLeakBytes);
    std::memset(kept, 1, kLeakBytes);
}

[[gnu::noinline]] void leakThem() {
    for (int i = 0; i < kLeaks; ++i)
        leakOne();
}

[[gnu::noinline]] void churn() {
    for (int i = 0; i < kChurns; ++i) {
        kept = std::malloc(kChurnBytes);
        std::free(kept);
    }
}

int main() {
    leakThem();
    churn();
    kept = nullptr;
    return 0;
}
