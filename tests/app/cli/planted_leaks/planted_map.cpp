#include "tests/app/cli/planted_leaks/planted.h"

namespace {

/// Leaks: remembered entries are never removed.
class History {
  public:
    [[gnu::noinline]] void remember(int request) {
        entries_["request number " + std::to_string(request)] = std::string(100, 'x');
    }

  private:
    std::map<std::string, std::string> entries_;
};

} // namespace

int main() {
    auto& history = *new History; // lives as long as the program; one that is destroyed at the end would not leak
    return planted::serve([&history](int request) { history.remember(request); });
}
