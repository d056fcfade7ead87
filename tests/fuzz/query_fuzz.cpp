// Any text as a query of filters and of the find row: never a crash or a hang, and an understood query is the same
// after it is written and read again.
#include "core/analysis/query/query_expression.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace highwater;
using namespace highwater::analysis;

namespace {

/// A row with a value of the right kind in every column.
class AnyRow final : public QueriedRow {
  public:
    [[nodiscard]] CellValue value(Column column) const override {
        switch (valueKind(column)) {
        case ValueKind::Text:
            return std::string("MemoryTestApp.exe (4242)");
        case ValueKind::Time:
            return TraceTime{1'500'000'000};
        default:
            return std::int64_t{20} << 20;
        }
    }
    [[nodiscard]] std::span<const std::string_view> frames(Column) const override { return kFrames; }

  private:
    static constexpr std::array<std::string_view, 3> kFrames{"ntdll.dll!+0x1234", "app.exe!main", "0x7ff612345678"};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
        const auto query = QueryExpression::parse(table, text);
        if (!query.hasValue()) {
            const auto& error = query.error();
            if (error.sentence.empty() || error.position + error.length > size) std::abort();
            continue;
        }
        (void)query.value().matches(AnyRow());
        const auto written = query.value().toString();
        if (written.size() > kLongestQuery) continue;
        const auto again = QueryExpression::parse(table, written);
        if (!again.hasValue() || !(again.value() == query.value())) std::abort();
    }
    return 0;
}
