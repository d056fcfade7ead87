#pragma once

#include "ui/view/window/recent_trace.h"

#include <QList>
#include <QStringList>
#include <QWidget>

class QCommandLinkButton;
class QFrame;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace highwater::ui {

class PlainLabel;
class RecentList;

/// Start page of the window: the program's purpose as a sentence and a picture; ways to open a trace; unsaved
/// recordings; recent traces.
class StartPage : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecentTraces(const QList<RecentTrace>& traces);

    /// Whether to offer "Try the example".
    void setHasExample(bool has);
    /// Descriptions of unsaved recordings; empty: none.
    void setLostRecordings(const QStringList& words);
    /// A sentence about the open trace, shown with a link back to it; empty: none is open.
    void setOpenTrace(const QString& sentence);

  signals:
    /// Return to the open trace.
    void backWanted();
    void recordWanted();
    /// Record a running program.
    void attachWanted();
    void exampleWanted();
    /// By index in the list.
    void recoverWanted(int recording);
    void discardWanted(int recording);
    void openWanted();
    void recentWanted(const QStringList& paths);
    /// Removes from the list; the files are kept.
    void removeWanted(const QStringList& paths);

  private:
    void build();
    [[nodiscard]] QWidget* makeOpenTrace();
    [[nodiscard]] QWidget* makeHead();
    [[nodiscard]] QWidget* makeChoices();
    [[nodiscard]] QCommandLinkButton* makeChoice(const char* name, const QString& text, const QString& help,
                                                 void (StartPage::*wanted)());
    [[nodiscard]] QWidget* makeLostRecording(const QString& words, int number);

    QFrame* open_ = nullptr;
    PlainLabel* openWords_ = nullptr;
    QPushButton* back_ = nullptr;
    QCommandLinkButton* example_ = nullptr;
    QScrollArea* lostArea_ = nullptr;
    QVBoxLayout* lost_ = nullptr;
    QLabel* recentTitle_;
    RecentList* recent_;
};

} // namespace highwater::ui
