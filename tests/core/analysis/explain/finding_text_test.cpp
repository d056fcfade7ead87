#include "core/analysis/explain/finding_text.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

SurgeFinding surgeOfShop() {
    SurgeFinding finding;
    finding.surge.kind = SurgeKind::Steep;
    finding.surge.processText = "shop.exe (7)";
    finding.surge.part = {TraceTime{2'000'000'000}, TraceTime{3'200'000'001}};
    finding.surge.bytes = SignedByteCount{126} << 20;
    finding.surge.startBytes = SignedByteCount{1} << 20;
    finding.surge.endBytes = finding.surge.lastBytes = SignedByteCount{127} << 20;
    finding.owner = "shop.exe!addItem";
    finding.share = 0.87;
    return finding;
}

std::string lineOf(const SurgeFinding& finding) { return textOf(finding).line.text(); }

LeakFinding leakOf(const char* owner, const char* place) {
    LeakFinding finding;
    finding.suspect.verdict = LeakVerdict::Growing;
    finding.suspect.confidence = 0.97;
    finding.suspect.process = "shop.exe (7)";
    finding.suspect.owner = owner;
    finding.suspect.place = place;
    finding.outstandingBytes = 3'565'158;
    finding.bytesPerSecond = 59'392;
    finding.suspect.why = "Still growing.";
    return finding;
}

} // namespace

class FindingTextTest : public QObject {
    Q_OBJECT
  private slots:
    void unreachableMemoryIsALeak() {
        auto finding = leakOf("shop.exe!parse", "order.cpp:7");
        finding.suspect.verdict = LeakVerdict::Unreachable;
        finding.suspect.confidence = 0;
        finding.suspect.picture.emplace();
        finding.suspect.picture->unreachable = {20, 259'994};
        finding.unreachable = {22, 330'056};
        finding.stacks = 2;
        const auto text = textsOf({finding}).front();
        QCOMPARE(text.line.text(), std::string("Leak: parse (order.cpp:7), 322.3 KB unreachable"));
        QCOMPARE(text.brief.text(), std::string("Leak: parse (order.cpp:7), 322.3 KB unreachable"));
        QVERIFY2(text.sentence.find("2 of its stacks leak, with 322.3 KB in unreachable blocks.") != std::string::npos,
                 text.sentence.c_str());
    }
    /// Growth alone is an estimate.
    void growthWithUnreachableBlocksIsCertain() {
        auto finding = leakOf("shop.exe!parse", "order.cpp:7");
        finding.suspect.confidence = 0.6;
        QVERIFY(textsOf({finding}).front().line.text().starts_with("Possible leak: "));
        finding.suspect.picture.emplace();
        finding.suspect.picture->unreachable = {1, 10};
        QVERIFY(textsOf({finding}).front().line.text().starts_with("Leak: "));
    }
    void aSurgeHasItsBytesTimeOwnerAndShare() {
        const auto text = textOf(surgeOfShop());
        QCOMPARE(text.line.text(), std::string("Surge: +126.0 MB in 1.2 s, 87 % by shop.exe!addItem"));
        QCOMPARE(text.line.name, std::string("shop.exe!addItem"));
        QCOMPARE(text.brief.text(), std::string("Surge: +126.0 MB by shop.exe!addItem"));
        QCOMPARE(text.sentence, std::string("shop.exe (7) grew by 126.0 MB between 2.00 s and 3.20 s, from 1.0 MB to "
                                            "127.0 MB outstanding. shop.exe!addItem allocated most of it."));
    }
    void aSurgeOfOneInstantTakesNoTime() {
        auto finding = surgeOfShop();
        finding.surge.part.end = TraceTime{finding.surge.part.start.ns + 1};
        QCOMPARE(lineOf(finding), std::string("Surge: +126.0 MB at once, 87 % by shop.exe!addItem"));
        QVERIFY(textOf(finding).sentence.starts_with("shop.exe (7) grew by 126.0 MB at 2.00 s, from 1.0 MB to"));
        finding.surge.part.end = TraceTime{finding.surge.part.start.ns + 12'346};
        QVERIFY(lineOf(finding).starts_with("Surge: +126.0 MB in 12.3 \u00b5s,"));
        finding.surge.part.end = TraceTime{finding.surge.part.start.ns + 350'000'001};
        QVERIFY(lineOf(finding).starts_with("Surge: +126.0 MB in 350 ms,"));
        finding.surge.part.end = TraceTime{finding.surge.part.start.ns + 4'000'000'000'001};
        QVERIFY(lineOf(finding).starts_with("Surge: +126.0 MB in 4,000 s,"));
    }
    /// Other stacks may have fallen meanwhile.
    void theShareIsLeftOutWhereItIsAll() {
        auto finding = surgeOfShop();
        for (const auto share : {0.996, 1.0, 1.5}) {
            finding.share = share;
            const auto text = textOf(finding);
            QCOMPARE(text.line.text(), std::string("Surge: +126.0 MB in 1.2 s, by shop.exe!addItem"));
            QVERIFY(text.sentence.ends_with(" shop.exe!addItem allocated it."));
        }
        finding.share = 0.3;
        QVERIFY(textOf(finding).sentence.ends_with(" shop.exe!addItem allocated the largest part of it."));
    }
    void theStartOfAProcessIsNamed() {
        auto finding = surgeOfShop();
        finding.surge.kind = SurgeKind::StartUp;
        QVERIFY(lineOf(finding).starts_with("Surge at start: +126.0 MB in 1.2 s,"));
    }
    void lossesMakeAmountsBounds() {
        auto surge = surgeOfShop();
        auto leak = leakOf("shop.exe!addItem", "cart.cpp:12");
        surge.effect = leak.effect = Effect::TooLow;
        QVERIFY(lineOf(surge).starts_with("Surge: at least +126.0 MB in"));
        QVERIFY(textOf(surge).brief.text().starts_with("Surge: at least +126.0 MB by"));
        QCOMPARE(textsOf({leak})[0].line.text(),
                 std::string("Leak: addItem (cart.cpp:12), at least 3.4 MB, growing 58.0 KB/s"));
        surge.effect = Effect::TooHigh;
        QVERIFY(lineOf(surge).starts_with("Surge: at most +126.0 MB in"));
        surge.effect = Effect::Either;
        QVERIFY(lineOf(surge).starts_with("Surge: about +126.0 MB in"));
    }
    void aLeakHasItsPlaceSizeAndRate() {
        const auto text = textsOf({leakOf("shop.exe!addItem", "cart.cpp:12")})[0];
        QCOMPARE(text.line.text(), std::string("Leak: addItem (cart.cpp:12), 3.4 MB, growing 58.0 KB/s"));
        QCOMPARE(text.brief.text(), std::string("Leak: addItem (cart.cpp:12), 58.0 KB/s"));
        QCOMPARE(text.sentence, std::string("shop.exe!addItem (cart.cpp:12) in shop.exe (7). Still growing."));
        const auto nameOf = [](const LeakFinding& finding) { return textsOf({finding})[0].line.name; };
        QCOMPARE(nameOf(leakOf("shop.exe!addItem", "")), std::string("shop.exe!addItem"));
        QCOMPARE(nameOf(leakOf("shop.exe!addItem", "+0x1a2b")), std::string("shop.exe!addItem (+0x1a2b)"));
        auto unsure = leakOf("shop.exe!addItem", "");
        unsure.suspect.confidence = 0.6;
        QVERIFY(textsOf({unsure})[0].line.text().starts_with("Possible leak: shop.exe!addItem,"));
    }
    /// The card has the sums of all growing stacks of a line, but the reason is that of one.
    void theTipOfSeveralStacksHasTheSumsOfTheCard() {
        auto finding = leakOf("shop.exe!addItem", "cart.cpp:12");
        finding.stacks = 3;
        QCOMPARE(textsOf({finding}).front().sentence,
                 std::string("shop.exe!addItem (cart.cpp:12) in shop.exe (7). 3 of its stacks grow, together by 58.0 "
                             "KB/s, to 3.4 MB. The following describes the most suspicious of them. Still growing."));
        finding.effect = Effect::TooLow;
        QVERIFY(textsOf({finding}).front().sentence.find(", to at least 3.4 MB. ") != std::string::npos);
    }
    void heldPagesHaveTheirSizeAndTheirOwner() {
        ProcessHolders held;
        held.name = "shop (7)";
        held.time = TraceTime{12'300'000'000};
        held.rss = ByteCount{766} << 20;
        held.holders = {{{ByteCount{10} << 20, ByteCount{688} << 20, 163'840}, "shop!Sessions::add", {}}};
        const auto text = textOf(held);
        QCOMPARE(text.line.text(), std::string("Held: 688.0 MB of pages by 10.0 MB of shop!Sessions::add"));
        QCOMPARE(text.brief.text(), std::string("Held: 688.0 MB by shop!Sessions::add"));
        QCOMPARE(text.sentence,
                 std::string("shop (7) had 766.0 MB in RAM at 12.30 s. 10.0 MB in 163,840 blocks of shop!Sessions::add "
                             "hold 688.0 MB of pages that contain no other heap blocks. If these blocks are freed, the "
                             "allocator may return the pages to the system."));
        held.doubt = kUnrecordedOnPages;
        QVERIFY(textOf(held).line.text().starts_with("Held: about 688.0 MB of pages by"));
        QVERIFY(textOf(held).brief.text().starts_with("Held: about 688.0 MB by"));
    }
    void fewHoldingBytesAreShownAsBlocks() {
        ProcessHolders held;
        held.holders = {{{1200, ByteCount{5} << 20, 1200}, "shop!flag", {}}};
        QCOMPARE(textOf(held).line.text(), std::string("Held: 5.0 MB of pages by 1,200 blocks of shop!flag"));
        held.holders[0].resident = ByteCount{1} << 20;
        QCOMPARE(textOf(held).line.text(), std::string("Held: 5.0 MB of pages by 1.0 MB of shop!flag"));
        held.holders = {{{5, ByteCount{5} << 20, 1}, "shop!flag", {}}};
        QCOMPARE(textOf(held).line.text(), std::string("Held: 5.0 MB of pages by 1 block of shop!flag"));
    }
    void twoNamesDiffer() {
        const auto texts = textsOf({leakOf("a.dll!addItem", "cart.cpp:12"), leakOf("b.dll!addItem", "cart.cpp:12")});
        QCOMPARE(texts[0].line.name, std::string("addItem (cart.cpp:12)"));
        QCOMPARE(texts[1].line.name, std::string("b.dll!addItem (cart.cpp:12)"));
    }
};

HIGHWATER_TEST(FindingTextTest);
#include "finding_text_test.moc"
