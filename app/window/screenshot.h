#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace highwater::app {

class MainWindow;

/// --screenshot: waits until the whole trace is shown, with function names if stacks are visible (for at most 30 s
/// because servers may be slow), saves a picture and ends the program. Exit code 0, or 2 with an error message on
/// stderr if the trace or another argument cannot be opened or the picture cannot be saved.
class Screenshot : public QObject {
    Q_OBJECT
  public:
    Screenshot(MainWindow& window, QString file, QObject* parent = nullptr);
    /// Without a trace, takes the start page.
    void takeSoon();

  private:
    void check();
    void takeWithoutNames();
    void take();
    void fail(const QString& sentence);

    MainWindow& window_;
    QString file_;
    QTimer patience_; ///< runs while waiting for names
    bool isOfTrace_ = false;
    bool isDue_ = false;
    bool waitsForNames_ = true;
};

} // namespace highwater::app
