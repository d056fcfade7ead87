#include "core/analysis/leaks/leak_suspects.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// "cart" is one function, from 0 to 0x100. Two of its addresses allocate blocks.
class TwoPlaces {
  public:
    explicit TwoPlaces(const std::vector<std::vector<NamedCode>>& lines) {
        for (int i = 0; i < 20; ++i) {
            trace_.block(10, "main;cart+0x10");
            trace_.block(500, "main;cart+0x40");
        }
        std::map<symbols::Rva, std::vector<NamedCode>> parts;
        symbols::Rva begin = 0;
        for (const auto& line : lines) {
            parts[begin] = line;
            begin += 0x20;
        }
        trace_.nameCode("cart", parts);
    }
    std::vector<LeakSuspect> suspects() {
        LeakQuery query;
        query.interval = trace_.trace->wholeRange();
        auto report = findLeaks(*trace_.trace, *trace_.labels, query).value();
        std::sort(report.suspects.begin(), report.suspects.end(),
                  [](const auto& a, const auto& b) { return a.keptBytes < b.keptBytes; });
        return std::move(report.suspects);
    }

  private:
    NamedTrace trace_;
};

NamedCode codeAt(std::uint32_t line, const char* file = "src/cart.cpp") { return {"add", file, line}; }

} // namespace

class OwnerPlacesTest : public QObject {
    Q_OBJECT
  private slots:
    void twoLinesOfOneFunctionAreTwoSuspects() {
        TwoPlaces stage({{codeAt(12)}, {codeAt(12)}, {codeAt(30)}});
        const auto suspects = stage.suspects();
        QCOMPARE(suspects.size(), std::size_t{2});
        QCOMPARE(suspects[0].owner, std::string("cart!add"));
        QCOMPARE(suspects[1].owner, std::string("cart!add"));
        QCOMPARE(suspects[0].place, std::string("cart.cpp:12"));
        QCOMPARE(suspects[1].place, std::string("cart.cpp:30"));
        QCOMPARE(suspects[0].keptBytes, ByteCount{200});
        QCOMPARE(suspects[1].keptBytes, ByteCount{10'000});
        QCOMPARE(suspects[0].path, suspects[1].path);
    }
    void twoAddressesOfOneLineAreOne() {
        TwoPlaces stage({{codeAt(12)}, {codeAt(12)}, {codeAt(12)}});
        const auto suspects = stage.suspects();
        QCOMPARE(suspects.size(), std::size_t{1});
        QCOMPARE(suspects[0].place, std::string("cart.cpp:12"));
        QCOMPARE(suspects[0].keptBytes, ByteCount{10'200});
    }
    void withoutLinesOffsetsTellThemApart() {
        TwoPlaces stage({{codeAt(0, "")}});
        const auto suspects = stage.suspects();
        QCOMPARE(suspects.size(), std::size_t{2});
        QVERIFY(suspects[0].place.starts_with("+0x") && suspects[1].place.starts_with("+0x"));
        QVERIFY(suspects[0].place != suspects[1].place);
    }
};

HIGHWATER_TEST(OwnerPlacesTest);
#include "owner_places_test.moc"
