#include "core/event/mapping_names.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class MappingNamesTest : public QObject {
    Q_OBJECT

  private slots:
    /// Programs may use names that begin like those of the agent.
    void theAgentIsRecognisedByItsNames() {
        for (const auto* name : {"/memfd:highwater-agent (deleted)", "[anon:highwater-agent]",
                                 "/usr/lib/highwater/agent/libhighwater-agent.so", "libhighwater-agent.so (deleted)"})
            QVERIFY2(isAgentMapping(name), name);
        for (const auto* name : {"", "[heap]", "/memfd:highwater-agent2 (deleted)", "[anon:highwater-agent-x]",
                                 "/usr/libhighwater-agent.so/libfoo.so", "/memfd:other (deleted)"})
            QVERIFY2(!isAgentMapping(name), name);
    }
    void sharedMemoryIsRecognisedByItsPath() {
        for (const auto* name :
             {"/dev/shm/queue", "/memfd:pool (deleted)", "/SYSV00000000 (deleted)", "/dev/zero (deleted)"})
            QVERIFY2(isSharedMemoryName(name), name);
        for (const auto* name : {"", "[heap]", "/usr/lib/libfoo.so", "/data/dev/shm/file"})
            QVERIFY2(!isSharedMemoryName(name), name);
    }
};
HIGHWATER_TEST(MappingNamesTest);
#include "mapping_names_test.moc"
