#include "ui/view/plain_widgets.h"

QMessageBox* ask() { return new QMessageBox; }
