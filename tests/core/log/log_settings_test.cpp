#include "core/log/log_settings.h"

#include "tests/support/test_registry.h"

#include <QDir>
#include <QTest>

#include <map>

using namespace highwater;

namespace {

/// An environment with these variables.
ReadVariable variables(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
}

/// A path that is absolute on every system.
std::string root() { return QDir::rootPath().toStdString(); }

} // namespace

class LogSettingsTest : public QObject {
    Q_OBJECT
  private slots:
    void liesInTheFolderOfTheUsersState() {
        QCOMPARE(logFolder(variables({{"HOME", root() + "h"}})).generic_string(), root() + "h/.local/state/highwater");
        QCOMPARE(logFolder(variables({{"HOME", root() + "h"}, {"XDG_STATE_HOME", root() + "s"}})).generic_string(),
                 root() + "s/highwater");
        QCOMPARE(logFolder(variables({{"LOCALAPPDATA", root() + "l"}, {"HOME", root() + "h"}})).generic_string(),
                 root() + "l/highwater");
        QCOMPARE(logFolder(variables({{"XDG_STATE_HOME", "beside"}, {"HOME", root() + "h"}})).generic_string(),
                 root() + "h/.local/state/highwater");
        QVERIFY(logFolder(variables({})).empty());
    }
    void theCommandLineWinsOverTheEnvironment() {
        const auto quiet = variables({{"HOME", root() + "h"}, {"HIGHWATER_LOG", "error"}});
        QCOMPARE(logSettings(quiet, std::nullopt).level, LogLevel::Error);
        QCOMPARE(logSettings(quiet, LogLevel::Debug).level, LogLevel::Debug);
        QCOMPARE(logSettings(variables({{"HOME", root() + "h"}}), std::nullopt).level, LogLevel::Information);
    }
    void offIsNoFile() {
        const auto off = variables({{"HOME", root() + "h"}, {"HIGHWATER_LOG", "off"}});
        QCOMPARE(logSettings(off, std::nullopt).level, LogLevel::Off);
        QVERIFY(logSettings(off, std::nullopt).folder.empty());
        QVERIFY(!logSettings(off, LogLevel::Warning).folder.empty());
        QVERIFY(logSettings(variables({{"HOME", root() + "h"}}), LogLevel::Off).folder.empty());
    }
    void saysWhatIsWrongWithTheEnvironment() {
        const auto settings = logSettings(variables({{"HOME", root() + "h"}, {"HIGHWATER_LOG", "loud"}}), std::nullopt);
        QCOMPARE(settings.level, LogLevel::Information);
        QVERIFY2(settings.remark.find("loud") != std::string::npos, settings.remark.c_str());
        QVERIFY(settings.remark.find("debug, info") != std::string::npos);
        QVERIFY(!logSettings(variables({}), std::nullopt).remark.empty());
    }
};
HIGHWATER_TEST(LogSettingsTest);
#include "log_settings_test.moc"
