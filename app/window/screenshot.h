#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace highwater::app {

class MainWindow;

/// --screenshot: waits until the window shows all of the trace, with the names of functions if stacks are on screen
/// (for 30 s at most: servers may be slow), saves a picture of it and ends the program: exit code 0, or 2 with a
/// sentence on stderr when the trace, or anything else that was named, cannot be opened or the picture not be saved.
class Screenshot : public QObject {
    Q_OBJECT
  public:
    Screenshot(MainWindow& window, QString file, QObject* parent = nullptr);
    /// Without a trace: the start page.
    void takeSoon();

  private:
    void check();
    void takeWithoutNames();
    void take();
    void fail(const QString& sentence);

    MainWindow& window_;
    QString file_;
    QTimer patience_; ///< runs while names are waited for
    bool isOfTrace_ = false;
    bool isDue_ = false;
    bool waitsForNames_ = true;
};

} // namespace highwater::app
