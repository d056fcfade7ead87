#include "core/base/result.h"

Result<int> read(const File& file) {
    const auto size = TRY(file.size(":)", Mode{1}));
    if (size > 0) TRY(file.seek(size));
    else
        TRY(file.rewind());
    TRY(locked([&] {
        TRY(file.flush());
        return TRY(file.lock());
    }));
    const auto next = TRY(file.size()) + 1;
    if (next == TRY(file.size())) return 0;
    const bool isSame = next == TRY(file.size());
    const auto last = size > 0 ? TRY(file.last()) : TRY(file.first());
    use(TRY(file.size()));
    const auto both = TRY(file.read(TRY(file.size())));
    return TRY(file.size()); // TRY(
}
