#include "tests/app/cli/planted_leaks/planted.h"

namespace {

/// Leaks: nobody forgets what is remembered.
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
    History history;
    return planted::serve([&history](int request) { history.remember(request); });
}
