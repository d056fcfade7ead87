#pragma once

#include "ui/view/window/recent_trace.h"

#include <QList>
#include <QStringList>
#include <QWidget>

class QCommandLinkButton;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace highwater::ui {

class RecentList;

/// What the window shows before a trace is open: what it answers, in a sentence and a picture; the ways to a trace;
/// recordings that were not saved; recent traces.
class StartPage : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecentTraces(const QList<RecentTrace>& traces);

    /// Whether "Try the example" is there.
    void setHasExample(bool has);
    /// Recordings that were not saved, in words; empty: none.
    void setLostRecordings(const QStringList& words);

  signals:
    void recordWanted();
    /// A program that runs already.
    void attachWanted();
    void exampleWanted();
    /// By their number in the list.
    void recoverWanted(int recording);
    void discardWanted(int recording);
    void openWanted();
    void recentWanted(const QStringList& paths);
    /// From the list; the files stay.
    void removeWanted(const QStringList& paths);

  private:
    void build();
    [[nodiscard]] QWidget* makeHead();
    [[nodiscard]] QWidget* makeChoices();
    [[nodiscard]] QCommandLinkButton* makeChoice(const char* name, const QString& text, const QString& help,
                                                 void (StartPage::*wanted)());
    [[nodiscard]] QWidget* makeLostRecording(const QString& words, int number);

    QCommandLinkButton* example_ = nullptr;
    QScrollArea* lostArea_ = nullptr;
    QVBoxLayout* lost_ = nullptr;
    QLabel* recentTitle_;
    RecentList* recent_;
};

} // namespace highwater::ui
