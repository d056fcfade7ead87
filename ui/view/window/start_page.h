#pragma once

#include <QDateTime>
#include <QList>
#include <QStringList>
#include <QWidget>

class QCommandLinkButton;
class QLabel;
class QTreeWidget;
class QVBoxLayout;

namespace highwater::ui {

/// A trace that was opened before: one file, or several that were opened together.
struct RecentTrace {
    /// The state of its files, compared with when it was opened.
    enum class State { Same, Changed, Missing };
    QStringList paths;
    qint64 bytes = 0;
    QDateTime modified;
    qint64 durationNs = 0; ///< 0: not known
    State state = State::Same;
};

/// What the window shows before a trace is open: what can be done, in large, and recent traces below.
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
    void exampleWanted();
    /// By their number in the list.
    void recoverWanted(int recording);
    void discardWanted(int recording);
    void openWanted();
    void recentWanted(const QStringList& paths);

  private:
    void build();
    [[nodiscard]] QCommandLinkButton* makeChoice(const char* name, const QString& text, const QString& help,
                                                 void (StartPage::*wanted)());
    [[nodiscard]] QWidget* makeLostRecording(const QString& words, int number);
    void buildRecent();
    void addRecent(const RecentTrace& trace);

    QCommandLinkButton* example_ = nullptr;
    QVBoxLayout* lost_ = nullptr;
    QLabel* recentTitle_;
    QTreeWidget* recent_;
};

/// "a.etl", "a.etl (+1 more)"
[[nodiscard]] QString nameOfTrace(const QStringList& paths);

} // namespace highwater::ui
