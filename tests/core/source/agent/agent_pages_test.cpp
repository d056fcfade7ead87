#include "core/source/agent/agent_pages.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <random>

using namespace highwater;
using source::AgentPages;
using State = AgentPages::State;
using Change = AgentPages::Change;

namespace {
constexpr ByteCount kPage = 4096;
} // namespace

class AgentPagesTest : public QObject {
    Q_OBJECT
  private slots:
    void reservesCommitsAndFrees() {
        AgentPages pages;
        QCOMPARE(pages.set(0x10000, 4 * kPage, State::Reserved),
                 (std::vector<Change>{{0x10000, 4 * kPage, State::Free, State::Reserved}}));
        QCOMPARE(pages.setKnown(0x11000, kPage, State::Committed),
                 (std::vector<Change>{{0x11000, kPage, State::Reserved, State::Committed}}));
        QCOMPARE(pages.setKnown(0x11000, kPage, State::Committed), std::vector<Change>{});
        QCOMPARE(pages.setKnown(0, 0x100000, State::Free),
                 (std::vector<Change>{{0x10000, kPage, State::Reserved, State::Free},
                                      {0x11000, kPage, State::Committed, State::Free},
                                      {0x12000, 2 * kPage, State::Reserved, State::Free}}));
    }
    void leavesAloneWhatWasMappedUnseen() {
        AgentPages pages;
        QCOMPARE(pages.setKnown(0x10000, kPage, State::Free), std::vector<Change>{});
        QCOMPARE(pages.setKnown(0x10000, kPage, State::Committed), std::vector<Change>{});
        QCOMPARE(pages.at(0x10000), State::Free);
    }
    void countsPartsOfPagesAsPages() {
        AgentPages pages;
        QCOMPARE(pages.set(0x10010, 1, State::Committed),
                 (std::vector<Change>{{0x10000, kPage, State::Free, State::Committed}}));
    }
    void survivesAnyNumbers() {
        AgentPages pages;
        (void)pages.set(~Address{0}, ~ByteCount{0}, State::Committed);
        (void)pages.set(0x1000, ~ByteCount{0}, State::Reserved);
        QCOMPARE(pages.set(0x1000, 0, State::Committed), std::vector<Change>{});
        QCOMPARE(pages.at(0x5000), State::Reserved);
    }
    void agreesWithAnArrayOfPages() {
        constexpr std::size_t kPages = 64;
        std::mt19937 random(20);
        for (int round = 0; round < 50; ++round) {
            AgentPages pages;
            std::array<State, kPages> expected{};
            for (int step = 0; step < 60; ++step) {
                const auto first = random() % kPages;
                const auto count = 1 + random() % (kPages - first);
                const auto to = static_cast<State>(random() % 3);
                const bool onlyKnown = random() % 2 == 0;
                const auto changes = onlyKnown ? pages.setKnown(first * kPage, count * kPage, to)
                                               : pages.set(first * kPage, count * kPage, to);
                std::array<State, kPages> told = expected;
                for (const auto& change : changes) {
                    for (auto page = change.address / kPage; page < (change.address + change.size) / kPage; ++page) {
                        QCOMPARE(told[page], change.from);
                        told[page] = change.to;
                    }
                }
                for (auto page = first; page < first + count; ++page) {
                    if (!onlyKnown || expected[page] != State::Free) expected[page] = to;
                }
                for (std::size_t page = 0; page < kPages; ++page) {
                    QCOMPARE(told[page], expected[page]);
                    QCOMPARE(pages.at(page * kPage), expected[page]);
                }
            }
        }
    }
};
HIGHWATER_TEST(AgentPagesTest);
#include "agent_pages_test.moc"
