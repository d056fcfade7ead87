#include "core/analysis/held/step_types.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

class StepTypesTest : public QObject {
    Q_OBJECT

  private slots:
    void aStepHasTheTypeOfMostOfItsBlocks() {
        MemoryPicture picture;
        picture.roots.resize(1);
        picture.types = {"Node", "Session", "Other"};
        // Of two owners below the root: some blocks have no type, and do not count.
        const std::vector<std::uint32_t> owners{5, 5, 5, 5, 5, 5, 6, 6}, types{2, 2, 0, 0, 0, 1, 3, 1};
        for (const auto type : types)
            picture.blocks.push_back({.holder = 8, .type = type});
        const HeldTree tree(picture, owners);
        const auto found = typesOfSteps(picture, tree);
        QCOMPARE(found.size(), tree.steps().size());
        const auto& first = found[tree.stepOf(0)];
        QCOMPARE(first.type, 2u);
        QCOMPARE(first.count, 2u);
        const auto& second = found[tree.stepOf(6)]; // one of each
        QCOMPARE(second.type, 1u);
        QCOMPARE(second.count, 1u);
        QCOMPARE(found[0].type, 0u); // the root
    }
};

HIGHWATER_TEST(StepTypesTest);
#include "step_types_test.moc"
