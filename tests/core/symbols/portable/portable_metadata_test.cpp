#include "core/symbols/portable/portable_metadata.h"

#include "tests/fixtures/managed_pdbs.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::symbols;

/// The tables of a portable PDB.
class PortableMetadataTest : public QObject {
    Q_OBJECT

    std::vector<std::byte> bytes_ = fixtures::portablePdb({
        Guid{1, 2, 3, {4}},
        {"C:\\src\\a.cs", "/src/b.cs", "c.cs"},
        {{{0, 12, 2}, {5, 0, 2}, {9, 9, 2}}, {}, {{3, 1, 1}, {4, 2, 3}}},
    });

  private slots:
    void documentsAndMethods() {
        const auto opened = PortableMetadata::open(bytes_);
        QVERIFY(opened.hasValue());
        const auto& metadata = opened.value();
        QVERIFY((metadata.guid() == Guid{1, 2, 3, {4}}));
        QCOMPARE(metadata.methodCount(), 3u);
        QCOMPARE(metadata.document(1), std::string("C:\\src\\a.cs"));
        QCOMPARE(metadata.document(2), std::string("/src/b.cs"));
        QCOMPARE(metadata.document(3), std::string("c.cs"));
        QCOMPARE(metadata.document(0) + metadata.document(4), std::string());
        std::uint64_t most = 1000;
        const auto first = metadata.sequencePoints(1, most);
        QCOMPARE(first.size(), std::size_t{2}); // without the hidden one
        QVERIFY(first[1].ilOffset == 9 && first[1].line == 9 && first[1].document == 2);
        QVERIFY(metadata.sequencePoints(2, most).empty());
        const auto third = metadata.sequencePoints(3, most);
        QVERIFY(third.size() == 2 && third[0].document == 1 && third[1].document == 3);
        QVERIFY(metadata.sequencePoints(0, most).empty() && metadata.sequencePoints(4, most).empty());
    }
    void noMoreIsReadThanAsked() {
        const auto opened = PortableMetadata::open(bytes_);
        std::uint64_t most = 1000;
        (void)opened.value().sequencePoints(1, most);
        auto enough = 1000 - most;
        QVERIFY(enough > 0 && enough < 100);
        auto less = enough - 1;
        QCOMPARE(opened.value().sequencePoints(1, enough).size(), std::size_t{2});
        QVERIFY(opened.value().sequencePoints(1, less).empty());
        QVERIFY(opened.value().sequencePoints(1, enough).empty()); // all of it is used
    }
    void whatIsNone() {
        QVERIFY(!PortableMetadata::isPortable({}));
        auto other = bytes_;
        other[0] = std::byte{'X'};
        QVERIFY(!PortableMetadata::open(other).hasValue());
        // The metadata of a module itself starts with other tables.
        for (std::size_t at = 0; at + 8 < bytes_.size(); ++at) {
            if (loadUnchecked<std::uint64_t>(bytes_.data() + at) != (3ull << 0x30 | 1ull << 0x35)) continue;
            auto module = bytes_;
            module[at] = std::byte{1};
            QVERIFY(!PortableMetadata::open(module).hasValue());
            return;
        }
        QFAIL("The mask of the tables was not found.");
    }
};
HIGHWATER_TEST(PortableMetadataTest);
#include "portable_metadata_test.moc"
