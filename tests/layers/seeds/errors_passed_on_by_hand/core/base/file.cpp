#include "core/base/result.h"

Result<int> read(const File& file) {
    const auto size = file.size();
    if (!size.hasValue()) return size.error();
    if (const auto open = file.open({}); !open.hasValue())
        return open.error();
    if (!file.state().hasValue()) {
        return file.state();
    }
    for (const auto* part : {&size}) {
        if (!part->hasValue()) return part->error();
    }
    if (!size.hasValue()) return Error{ErrorKind::Io, size.error().message};
    if (file.isLast() && !size.hasValue()) return size.error();
    // if (!size.hasValue()) return size.error();
    return size.value();
}
