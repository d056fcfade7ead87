#pragma once

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

/// Shared by the programs with one leak: their running time, and allocations that look like a leak but are not.
namespace planted {

/// A cache that fills within two seconds and then serves all requests.
class Cache {
  public:
    [[gnu::noinline]] const std::string& page(int number) {
        auto& page = pages_[number % kPages];
        if (page.empty()) page.assign(400, 'x');
        return page;
    }

  private:
    static constexpr int kPages = 400;
    std::map<int, std::string> pages_;
};

/// Buffers that are freed on return.
[[gnu::noinline]] inline std::size_t formatAnswer(int number) {
    std::vector<std::string> lines;
    for (int i = 0; i < 8; ++i)
        lines.push_back("answer " + std::to_string(number) + " of a line that is long enough for the heap");
    std::size_t length = 0;
    for (const auto& line : lines)
        length += line.size();
    return length;
}

/// Repeats the work about 200 times a second, for five seconds.
template <typename Work>
int serve(Work work) {
    using std::chrono::steady_clock;
    Cache cache;
    std::size_t sum = 0;
    const auto end = steady_clock::now() + std::chrono::seconds(5);
    for (int request = 0; steady_clock::now() < end; ++request) {
        sum += cache.page(request).size() + formatAnswer(request);
        work(request);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return sum > 0 ? 0 : 1;
}

} // namespace planted
