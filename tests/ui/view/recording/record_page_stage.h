#pragma once

#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/record_page.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>
#include <QTreeWidget>

namespace highwater::tests {

using namespace highwater::ui;

/// A Record page on screen, with actions of a user.
struct RecordPageStage {
    RecordPage page;

    explicit RecordPageStage(RecordPage::Attach attach = RecordPage::Attach::Yes) : page(attach) {
        page.show();
        page.activateWindow(); // without a window manager nothing else does this
        (void)QTest::qWaitForWindowActive(&page);
    }

    QLineEdit& field(const char* name) { return *page.findChild<QLineEdit*>(name); }
    QCheckBox& tick(const char* name) { return *page.findChild<QCheckBox*>(name); }
    QPushButton& button(const char* name) { return *page.findChild<QPushButton*>(name); }
    QString words(const char* label) { return page.findChild<QLabel*>(label)->text(); }
    QTabWidget& tabs() { return *page.findChild<QTabWidget*>("recordWhat"); }
    QTreeView& list() { return *page.findChild<QTreeView*>("processList"); }
    bool canStart() { return button("startRecording").isEnabled(); }
    void showRunning(const QList<ListedProcess>& processes) {
        page.setProcesses(processes);
        tabs().setCurrentIndex(1);
    }
    void choose(const QString& process) {
        for (int row = 0; row < list().model()->rowCount(); ++row) {
            if (names()[row] == process) list().setCurrentIndex(list().model()->index(row, 0));
        }
    }
    /// Types as a user does: the field loses the focus afterwards.
    void type(const char* name, const QString& text) {
        field(name).setFocus();
        field(name).selectAll();
        QTest::keyClicks(&field(name), text);
        QTest::keyClick(&field(name), Qt::Key_Tab);
    }
    void clickFormer(int row) {
        auto& list = *page.findChild<QTreeWidget*>("launchTargets");
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.topLevelItem(row)).center());
    }
    MessageStrip& strip(const char* name) { return *page.findChild<MessageStrip*>(name); }
    void follow(const char* name) { emit strip(name).findChild<QLabel*>()->linkActivated(QStringLiteral("#")); }
    QStringList names() {
        QStringList texts;
        for (int row = 0; row < list().model()->rowCount(); ++row) {
            texts << list().model()->index(row, ProcessListModel::kName).data().toString();
        }
        return texts;
    }
};

inline RecordChoices everyChoiceOther() {
    RecordChoices choices;
    choices.program = "/opt/app";
    choices.arguments = "--one 'two three'";
    choices.folder = "/tmp";
    choices.environment = {"A=1", "B=two words"};
    choices.keepsEnvironment = true;
    choices.heap = false;
    choices.virtualAlloc = true;
    choices.stacksOnFree = true;
    choices.children = true;
    choices.stopWhen = RecordChoices::StopWhen::Growth;
    choices.stopMegabytes = 77;
    choices.stopsAfter = true;
    choices.stopSeconds = 11;
    choices.compressed = false;
    choices.keep = RecordChoices::Keep::LastMegabytes;
    choices.keepMinutes = 9;
    choices.keepMegabytes = 123;
    return choices;
}

} // namespace highwater::tests
